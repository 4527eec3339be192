import DeviceModel
import Highlights
import WaypostSchema

/// A device and the naive one side by side; finds where they are not the same.
struct HistoryWalk {
    private(set) var device = DeviceModel()
    private(set) var naive = NaiveDevice()
    private(set) var told: [BundleIdentifier: ToldList] = [:]

    private var views: [BundleIdentifier: NaiveView] = [:]

    /// Takes a step with both; returns where they differ afterwards.
    mutating func take(_ entry: JournalEntry) -> [String] {
        let start = views
        naive.pass(to: entry.at)
        let later = naiveViews
        let reaction = device.apply(entry.event, at: entry.at)
        let isIgnored = reaction.effects.contains { if case .eventIgnored = $0 { true } else { false } }
        let isTaken = take(entry.event, isIgnored)
        views = naiveViews
        let faults = isTaken == isIgnored ? ["\(entry.event.kind) is ignored: \(isIgnored)"] : []
        return faults + follow(reaction.effects, entry.event, [start, later, views]) + differences
    }

    /// Compares why the apps have links or do not; returns where that is not so.
    var explanationFaults: [String] {
        views.flatMap { app, view in SampleLink.all.compactMap(\.last).flatMap { faults(app, view, $0) } }
    }

    // Which offers are open is for other tests: here it is only told what answering one does.
    private mutating func take(_ event: DeviceEvent, _ isIgnored: Bool) -> Bool {
        guard case .automaticSharingOfferAnswered(let app, let answer) = event else { return naive.take(event) }
        if !isIgnored, answer == .accepted { naive.automatic.insert(app) }
        _ = naive.take(event)
        return !isIgnored
    }

    private var naiveViews: [BundleIdentifier: NaiveView] {
        Dictionary(uniqueKeysWithValues: SampleApp.identifiers.map { ($0, naive.view(of: $0)) })
    }

    // MARK: What apps are told

    private mutating func follow(
        _ effects: [DeviceEffect],
        _ event: DeviceEvent,
        _ views: [[BundleIdentifier: NaiveView]]
    ) -> [String] {
        var faults: [String] = []
        var counts: [BundleIdentifier: Int] = [:]
        let former = Set(told.keys)
        for (app, facts) in naive.apps where told[app] == nil {
            told[app] = ToldList(hasCapability: facts.description.sharedWithYou)
        }
        for case .highlightsChanged(let update) in effects where naive.apps[update.app] != nil {
            counts[update.app, default: 0] += 1
            if let fault = told[update.app]?.follow(update) { faults.append("\(update.app): \(fault)") }
        }
        told = told.filter { naive.apps[$0.key] != nil }
        // A description changes several things one after the other, of which one can undo another.
        if case .deviceDescribed = event { return faults }
        for app in naive.apps.keys where former.contains(app) {
            let looks = views.compactMap { $0[app] }
            let due = zip(looks, looks.dropFirst()).filter { !$0.looksLike($1) }.count
            let count = counts[app, default: 0]
            if count != due { faults.append("\(app) is told \(count) times instead of \(due)") }
        }
        return faults
    }

    // MARK: What apps and the person read

    private func faults(_ app: BundleIdentifier, _ view: NaiveView, _ link: SampleLink) -> [String] {
        let explanation = device.sharing.explanation(of: link.url, for: app)
        let place = view.items.firstIndex { $0.key == naive.link(link.url)?.key }
        var faults = FaultList("\(app) and \(link.url)")
        faults.expect("surfaced", explanation.isSurfaced, place != nil)
        faults.expect("place", explanation.rank?.position, place)
        faults.expect("gates", explanation.gates.map(\.gate), SurfacingGate.allCases)
        let failed = explanation.gates.first { $0.status == .fail && $0.gate != .curation }?.gate
        faults.expect("decided by", explanation.decidedBy, failed)
        let highlight = try? device.sharing.highlight(for: link.url, of: app)
        faults.expect("highlight", highlight?.url, place.map { view.items[$0].url })
        return faults.faults
    }

    private var differences: [String] {
        views.flatMap { app, view in pageFaults(app, view) + reportFaults(app, view) } + searchFaults
    }

    private func pageFaults(_ app: BundleIdentifier, _ view: NaiveView) -> [String] {
        let page = device.sharing.page(of: app, limit: 100)
        var faults = FaultList("\(app)")
        faults.expect("state", page.state, view.state)
        faults.expect("list", page.highlights.map(\.url), view.items.map(\.url))
        faults.expect("total", page.total, view.items.count)
        faults.expect("curated", page.curated, view.items.first?.isEligible == true)
        faults.expect("gap", page.curationGap, view.curationGap(at: naive.clock))
        faults.expect("identifiers", Set(page.highlights.map(\.id)).count, view.items.count)
        guard let told = told[app] else { return faults.faults }
        faults.expect("told", told.list, page.highlights)
        faults.expect("told state", told.state, page.state)
        return faults.faults
    }

    private func reportFaults(_ app: BundleIdentifier, _ view: NaiveView) -> [String] {
        let ranked = device.sharing.report(on: app, limit: 100)?.items ?? []
        var faults = FaultList("the report on \(app)")
        faults.expect("urls", ranked.map(\.highlight.url), view.items.map(\.url))
        faults.expect("positions", ranked.map(\.rank.position), Array(view.items.indices))
        faults.expect("pinned", ranked.map(\.isPinned), view.items.map { $0.pinnedAt != nil })
        faults.expect("scores", ranked.map(\.rank.score), view.items.map(\.score))
        faults.expect("sums", ranked.map { $0.rank.terms.map(\.points).reduce(0, +) }, view.items.map(\.score))
        faults.expect("shared", ranked.map(\.sharedAt.rawValue), view.items.map(\.sharedAt))
        faults.expect("conversations", ranked.map(\.conversations), view.items.map(\.conversations))
        return faults.faults
    }

    private var searchFaults: [String] {
        let found = device.sharing.search("", limit: 100)
        let expected = views.found
        var faults = FaultList("search")
        faults.expect("urls", found.map(\.url), expected.map(\.item.url))
        faults.expect("apps", found.map(\.apps), expected.map(\.apps))
        faults.expect("pinned", found.map(\.isPinned), expected.map { $0.item.pinnedAt != nil })
        return faults.faults
    }
}
