import DeviceModel
import Highlights
import WaypostSchema

/// A device, and what its apps know of their attribution views by what they were handed; finds what cannot be.
struct AttributionWalk {
    private(set) var device = DeviceModel()

    /// What each live view's app was handed last.
    private(set) var handed: [AttributionViewID: AttributionView] = [:]

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
        var faults = followNotices(effects)
        for view in effects.provided { handed[view.view] = view }
        let revived = live.subtracting(before).filter { $0 != entry.event.requested }
        faults += revived.map { "\($0) came back by itself" }
        handed = handed.filter { live.contains($0.key) }
        return faults + live.sorted { $0.rawValue < $1.rawValue }.flatMap(viewFaults)
            + returnFaults(effects, after: entry.event)
    }

    private var live: Set<AttributionViewID> {
        Set(Self.handles.filter { device.requestedView($0) != nil })
    }

    private func viewFaults(_ id: AttributionViewID) -> [String] {
        guard let view = device.requestedView(id) else { return [] }
        var faults = FaultList("\(id) of \(view.app)")
        let highlights = device.sharing.page(of: view.app, limit: 1_000).highlights
        faults.expect("in the list", highlights.contains { $0.id == view.highlight }, true)
        let highlight = try? device.sharing.highlight(for: view.url, of: view.app)
        faults.expect("highlight", highlight?.id, view.highlight)
        faults.expect("picture", device.drawing(of: id) == nil, false)
        faults.expect("as it was handed", device.attributionView(id, of: view.app), handed[id])
        let others = SampleApp.identifiers.filter { $0 != view.app && device.attributionView(id, of: $0) != nil }
        faults.expect("others that have it", others, [])
        return faults.faults
    }

    /// Something comes and goes by turns, and over one app at a time; an app that is removed is told nothing.
    private mutating func followNotices(_ effects: [DeviceEffect]) -> [String] {
        var faults: [String] = []
        for notice in effects.notices {
            switch (covered, notice.state) {
            case (nil, .presented): covered = notice
            case (let former?, .dismissed) where former.app == notice.app && former.view == notice.view: covered = nil
            default: faults.append("\(notice) after \(String(describing: covered))")
            }
        }
        if let app = covered?.app, !device.sharing.apps.contains(app) { covered = nil }
        return faults
    }

    /// Where an app is told that nothing covers it any more, the person is back at its content, and the other way round; not
    /// where what they were looking at was deleted while they were elsewhere.
    private func returnFaults(_ effects: [DeviceEffect], after event: DeviceEvent) -> [String] {
        if case .conversationDeleted = event, effects.places.isEmpty { return [] }
        let dismissed = effects.notices.filter { $0.state == .dismissed }.map(\.app)
        return dismissed == effects.places.map(\.app) ? [] : ["dismissed \(dismissed), returned \(effects.places)"]
    }
}

extension DeviceEvent {
    /// The view that an app asks for.
    fileprivate var requested: AttributionViewID? {
        if case .attributionRequested(_, let view, _, _) = self { view } else { nil }
    }
}
