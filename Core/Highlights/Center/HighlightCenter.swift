internal import HashTreeCollections
internal import UniversalLinks
package import WaypostSchema

/// What the device keeps for one app: its list, what its views told, and what it was told.
struct HighlightCenter: Sendable, Codable {
    /// The app, as it is installed now.
    var app: SharingApp

    /// What the attribution views of the app told of each item.
    var feedback = TreeDictionary<ContentKey, ItemFeedback>()

    /// The attribution views that are in windows of the app.
    var views: [AttributionViewID: AttachedView] = [:]

    private(set) var shelf = Shelf()
    private(set) var isLoaded = false

    /// In which update each item came as it is, and when.
    private(set) var deliveries = TreeDictionary<ContentKey, HighlightDelivery>()

    private var updates = 0
    private var toldState: HighlightsState

    init(_ app: SharingApp) {
        self.app = app
        toldState = app.hasCapability ? .notLoaded : .denied
    }

    /// How things stand with the app's highlights.
    func state(_ permission: SharingPermission) -> HighlightsState {
        guard app.hasCapability, permission != .denied else { return .denied }
        guard isLoaded else { return .notLoaded }
        guard shelf.count == 0 else { return .ready }
        return permission == .granted ? .empty : .denied
    }

    /// Gives items new values and lets time pass; returns what the app is told, `nil` where nothing is new to it.
    mutating func update(
        _ changes: [ContentKey: ShelfItem?],
        isLoaded: Bool,
        _ permission: SharingPermission,
        at now: Timestamp
    ) -> HighlightsUpdate? {
        let wasLoaded = self.isLoaded
        // A second copy of the list would make every change of it more expensive: there is one only where it is needed.
        let stepsToNothing = wasLoaded && !isLoaded ? shelf.stepsToNothing : []
        let steps = shelf.apply(changes, at: now)
        self.isLoaded = isLoaded
        return switch (wasLoaded, isLoaded) {
        case (true, true): tell(steps, state(permission), at: now)
        case (false, true): tell(shelf.stepsFromNothing, state(permission), at: now)
        case (true, false): tell(stepsToNothing, state(permission), at: now)
        case (false, false): tell([], state(permission), at: now)
        }
    }

    /// Moves what the app's views told from one key to another, where nothing is known of that one.
    mutating func rekey(_ old: ContentKey, to new: ContentKey) {
        for (view, attached) in views where attached.key == old {
            views[view] = AttachedView(key: new, displayContext: attached.displayContext, since: attached.since)
        }
        guard let moved = feedback.removeValue(forKey: old), feedback[new] == nil else { return }
        feedback[new] = moved
    }

    func highlight(_ item: ShelfItem) -> Highlight {
        Highlight(id: HighlightID(item.key, of: app.bundleIdentifier), url: item.url)
    }

    private mutating func tell(
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

/// What the person's choices leave to an app, whatever links there are.
enum SharingPermission: Sendable {
    /// Links may be shared with it.
    case granted

    /// Sharing is off for it; only what was pinned later is shared.
    case deniedUnlessPinned

    /// Sharing is off everywhere.
    case denied
}

/// When an app was told of an item.
struct HighlightDelivery: Sendable, Equatable, Codable {
    /// The number of the update.
    let update: Int

    /// When that was.
    let at: Timestamp
}

extension HighlightID {
    /// Creates the identifier by which an app knows a link.
    ///
    /// It is made of both and of nothing else, so that it is the same in every run and tells the app nothing that it does
    /// not have, and no two apps know a link by the same one. It is FNV-1a over 128 bits (RFC 9923), written with 32 letters.
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
