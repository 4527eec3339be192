import DeviceModel
import Highlights
import WaypostSchema

/// A device and its apps' knowledge of their attribution views; finds violations of the invariants.
struct AttributionWalk {
    private(set) var device = DeviceModel()

    /// The view that each app received last, for each live view.
    private(set) var handed: [Place: AttributionView] = [:]

    /// A view and its app, because two apps may use the same handle.
    struct Place: Hashable {
        let app: BundleIdentifier
        let view: AttributionViewID
    }

    /// The notice about the app that is covered, as the apps were notified.
    private(set) var covered: PresentationNotice?

    /// The number of effects of each kind: a history without effects would prove nothing.
    private(set) var counts: [String: Int] = [:]

    private static let handles = SharingHistory.handles

    /// Applies an entry and returns the violations.
    mutating func take(_ entry: JournalEntry) -> [String] {
        let before = live
        let effects = device.take(entry).effects
        for kind in effects.kinds { counts[kind, default: 0] += 1 }
        var errors = followNotices(effects)
        for view in effects.provided { handed[Place(app: view.app, view: view.view)] = view }
        let revived = live.subtracting(before).filter { $0 != entry.event.requested }
        errors += revived.map { "\($0) returned without a request" }
        handed = handed.filter { live.contains($0.key) }
        return errors + Self.handles.flatMap(device.requestedViews).flatMap(viewErrors)
            + returnErrors(effects, after: entry.event)
    }

    private var live: Set<Place> {
        Set(Self.handles.flatMap(device.requestedViews).map { Place(app: $0.app, view: $0.view) })
    }

    private func viewErrors(_ view: RequestedView) -> [String] {
        var errors = MismatchList("\(view.view) of \(view.app)")
        let highlights = device.sharing.page(of: view.app, limit: 1_000).highlights
        errors.expect("in the list", highlights.contains { $0.id == view.highlight }, true)
        let highlight = try? device.sharing.highlight(for: view.url, of: view.app)
        errors.expect("highlight", highlight?.id, view.highlight)
        errors.expect("picture", device.drawing(of: view) == nil, false)
        let place = Place(app: view.app, view: view.view)
        errors.expect("as it was handed", device.attributionView(view.view, of: view.app), handed[place])
        return errors.errors
    }

    /// Presentations and dismissals alternate, for one app at a time.
    ///
    /// A removed app gets no notice.
    private mutating func followNotices(_ effects: [DeviceEffect]) -> [String] {
        var errors: [String] = []
        for notice in effects.notices {
            switch (covered, notice.state) {
            case (nil, .presented): covered = notice
            case (let former?, .dismissed) where former.app == notice.app && former.view == notice.view: covered = nil
            default: errors.append("\(notice) after \(String(describing: covered))")
            }
        }
        if let app = covered?.app, !device.sharing.apps.contains(app) { covered = nil }
        return errors
    }

    /// When an app is notified that nothing covers it any more, the user returns to its content, and vice versa.
    ///
    /// The exception is a conversation that is deleted while the user is elsewhere.
    private func returnErrors(_ effects: [DeviceEffect], after event: DeviceEvent) -> [String] {
        if case .sharing(.conversationDeleted) = event, effects.places.isEmpty { return [] }
        let dismissed = effects.notices.filter { $0.state == .dismissed }.map(\.app)
        return dismissed == effects.places.map(\.app) ? [] : ["dismissed \(dismissed), returned \(effects.places)"]
    }
}

extension DeviceEvent {
    /// The view that an app requests.
    fileprivate var requested: AttributionWalk.Place? {
        if case .attribution(.attributionRequested(let app, let view, _, _)) = self {
            .init(app: app, view: view)
        } else {
            nil
        }
    }
}
