import DeviceModel
import Highlights
import WaypostSchema

/// A device, and what its apps know of their attribution views by what they were handed; finds what cannot be.
struct AttributionWalk {
    private(set) var device = DeviceModel()

    /// What each live view's app was handed last.
    private(set) var handed: [Place: AttributionView] = [:]

    /// A view: two apps may know theirs by the same handle.
    struct Place: Hashable {
        let app: BundleIdentifier
        let view: AttributionViewID
    }

    /// The app that something covers, as far as apps were told.
    private(set) var covered: PresentationNotice?

    /// How often each kind of effect came, so that a history in which nothing happens is no proof.
    private(set) var counts: [String: Int] = [:]

    private static let handles = SharingHistory.handles

    /// Takes a step; returns what cannot be.
    mutating func take(_ entry: JournalEntry) -> [String] {
        let before = live
        let effects = device.take(entry).effects
        for kind in effects.kinds { counts[kind, default: 0] += 1 }
        var errors = followNotices(effects)
        for view in effects.provided { handed[Place(app: view.app, view: view.view)] = view }
        let revived = live.subtracting(before).filter { $0 != entry.event.requested }
        errors += revived.map { "\($0) came back by itself" }
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

    /// Something comes and goes by turns, and over one app at a time; an app that is removed is told nothing.
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

    /// Where an app is told that nothing covers it any more, the person is back at its content, and the other way round; not
    /// where what they were looking at was deleted while they were elsewhere.
    private func returnErrors(_ effects: [DeviceEffect], after event: DeviceEvent) -> [String] {
        if case .conversationDeleted = event, effects.places.isEmpty { return [] }
        let dismissed = effects.notices.filter { $0.state == .dismissed }.map(\.app)
        return dismissed == effects.places.map(\.app) ? [] : ["dismissed \(dismissed), returned \(effects.places)"]
    }
}

extension DeviceEvent {
    /// The view that an app asks for.
    fileprivate var requested: AttributionWalk.Place? {
        if case .attributionRequested(let app, let view, _, _) = self { .init(app: app, view: view) } else { nil }
    }
}
