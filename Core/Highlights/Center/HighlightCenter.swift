internal import HashTreeCollections
internal import UniversalLinks
package import WaypostSchema

/// The device's state for one app: its list, the feedback of its views, and the updates that it received.
struct HighlightCenter: Sendable, Codable {
    /// The app as it is currently installed.
    var app: SharingApp

    /// The feedback from the app's attribution views, by item.
    var feedback = TreeDictionary<ContentKey, ItemFeedback>()

    /// The attribution views that are in windows of the app.
    var views: [AttributionViewID: AttachedView] = [:]

    private(set) var shelf = Shelf()
    private(set) var isLoaded = false

    /// The update in which the app last received each item, and its time.
    private(set) var deliveries = TreeDictionary<ContentKey, HighlightDelivery>()

    /// The number of the last update.
    private var updates = 0

    /// The state in the last update.
    private var toldState: HighlightsState

    init(_ app: SharingApp) {
        self.app = app
        toldState = app.hasCapability ? .notLoaded : .denied
    }

    /// Returns the state of the app's highlights.
    func state(_ permission: SharingPermission) -> HighlightsState {
        guard app.hasCapability, permission != .denied else { return .denied }
        guard isLoaded else { return .notLoaded }
        guard shelf.count == 0 else { return .ready }
        return permission == .granted ? .empty : .denied
    }

    /// Changes items, advances the time and returns the update for the app; `nil` if nothing changed for the app.
    ///
    /// A `nil` item removes the item of its key.
    mutating func update(
        _ changes: [ContentKey: ShelfItem?],
        isLoaded: Bool,
        _ permission: SharingPermission,
        at now: Timestamp
    ) -> HighlightsUpdate? {
        let wasLoaded = self.isLoaded
        // A second copy of the list makes every change more expensive, so make one only if it is needed.
        let stepsToEmpty = wasLoaded && !isLoaded ? shelf.stepsToEmpty : []
        let steps = shelf.apply(changes, at: now)
        self.isLoaded = isLoaded
        return switch (wasLoaded, isLoaded) {
        case (true, true): makeUpdate(steps, state(permission), at: now)
        case (false, true): makeUpdate(shelf.stepsFromEmpty, state(permission), at: now)
        case (true, false): makeUpdate(stepsToEmpty, state(permission), at: now)
        case (false, false): makeUpdate([], state(permission), at: now)
        }
    }

    /// Moves views and feedback from one key to another; if the new key has feedback already, that is kept.
    mutating func rekey(_ old: ContentKey, to new: ContentKey) {
        for (view, attached) in views where attached.key == old {
            views[view] = AttachedView(key: new, displayContext: attached.displayContext, since: attached.since)
        }
        guard let movedFeedback = feedback.removeValue(forKey: old), feedback[new] == nil else { return }
        feedback[new] = movedFeedback
    }

    func highlight(_ item: ShelfItem) -> Highlight {
        Highlight(id: HighlightID(item.key, of: app.bundleIdentifier), url: item.url)
    }

    private mutating func makeUpdate(
        _ steps: [ShelfStep],
        _ state: HighlightsState,
        at now: Timestamp
    ) -> HighlightsUpdate? {
        guard !steps.isEmpty || state != toldState else { return nil }
        toldState = state
        updates += 1
        for step in steps {
            switch step.kind {
            case .added, .updated: deliveries[step.item.key] = HighlightDelivery(update: updates, at: now)
            case .removed: deliveries[step.item.key] = nil
            case .moved: break
            }
        }
        return HighlightsUpdate(
            app: app.bundleIdentifier,
            number: updates,
            state: state,
            total: isLoaded ? shelf.count : 0,
            curated: isLoaded && shelf.curated != nil,
            curationGap: isLoaded ? shelf.curationGap : .empty,
            changes: steps.map { step in
                HighlightChange(change: step.kind, highlight: highlight(step.item), from: step.from, to: step.to)
            }
        )
    }
}

/// The user's permission to share links with an app, regardless of which links there are.
enum SharingPermission: Sendable {
    /// Links may be shared with the app.
    case granted

    /// Sharing is off for the app; only links that were pinned later are shared.
    case deniedUnlessPinned

    /// Sharing is off everywhere.
    case denied
}

/// The delivery of an item to an app.
struct HighlightDelivery: Sendable, Equatable, Codable {
    /// The number of the update that contained the item.
    let update: Int

    /// The time of the update.
    let at: Timestamp
}

extension HighlightID {
    /// Creates the identifier by which an app refers to a link.
    ///
    /// It depends only on the key and the app. So it is the same in every run, reveals nothing that the app does not
    /// have, and differs between apps. It is the 128-bit FNV-1a hash (RFC 9923) in a 32-letter alphabet.
    package init(_ key: ContentKey, of app: BundleIdentifier) {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in [Array(app.rawValue.utf8), [0], Array(key.rawValue.utf8)].joined() {
            hash ^= UInt128(byte)
            hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        let text = (0..<26).map { letters[Int(truncatingIfNeeded: hash >> UInt128($0 * 5)) & 31] }
        self.init(rawValue: String(decoding: text, as: UTF8.self))
    }
}
