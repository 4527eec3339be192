import DeviceModel
import Highlights
import WaypostSchema

/// A device and its naive model side by side; finds the differences.
struct HistoryWalk {
    private(set) var device = DeviceModel()
    private(set) var naive = NaiveDevice()
    private(set) var told: [BundleIdentifier: ToldList] = [:]

    private var views: [BundleIdentifier: NaiveView] = [:]

    /// Applies an entry to both and returns their differences afterwards.
    mutating func take(_ entry: JournalEntry) -> [String] {
        let start = views
        naive.pass(to: entry.at)
        let later = naiveViews
        let reaction = device.apply(entry.event, at: entry.at)
        let isIgnored = reaction.effects.contains { if case .system(.eventIgnored) = $0 { true } else { false } }
        let isTaken = take(entry.event, isIgnored)
        views = naiveViews
        let errors = isTaken == isIgnored ? ["\(entry.event.kind) is ignored: \(isIgnored)"] : []
        return errors + follow(reaction.effects, entry.event, [start, later, views]) + differences
    }

    /// The differences in the explanations of links.
    var explanationErrors: [String] {
        views.flatMap { app, view in SampleLink.all.compactMap(\.last).flatMap { errors(app, view, $0) } }
    }

    // Other tests check which offers are open. This one only applies the effect of an answer.
    private mutating func take(_ event: DeviceEvent, _ isIgnored: Bool) -> Bool {
        guard case .sharing(.automaticSharingOfferAnswered(let app, let answer)) = event else {
            return naive.take(event)
        }
        _ = naive.take(event)
        if !isIgnored, answer == .accepted { naive.automatic[app] = naive.automatic[app] ?? naive.number }
        return !isIgnored
    }

    private var naiveViews: [BundleIdentifier: NaiveView] {
        Dictionary(uniqueKeysWithValues: SampleApp.identifiers.map { ($0, naive.view(of: $0)) })
    }

    // MARK: Updates to apps

    private mutating func follow(
        _ effects: [DeviceEffect],
        _ event: DeviceEvent,
        _ views: [[BundleIdentifier: NaiveView]]
    ) -> [String] {
        var errors: [String] = []
        var counts: [BundleIdentifier: Int] = [:]
        let former = Set(told.keys)
        for (app, facts) in naive.apps where told[app] == nil {
            told[app] = ToldList(hasCapability: facts.description.sharedWithYou)
        }
        for case .sharing(.highlightsChanged(let update)) in effects where naive.apps[update.app] != nil {
            counts[update.app, default: 0] += 1
            if let error = told[update.app]?.follow(update) { errors.append("\(update.app): \(error)") }
        }
        told = told.filter { naive.apps[$0.key] != nil }
        // A description changes several things in sequence, and one change can undo another.
        if case .system(.deviceDescribed) = event { return errors }
        for app in naive.apps.keys where former.contains(app) {
            let looks = views.compactMap { $0[app] }
            let due = zip(looks, looks.dropFirst()).filter { !$0.looksLike($1) }.count
            let count = counts[app, default: 0]
            if count != due { errors.append("\(app) is notified \(count) times instead of \(due)") }
        }
        return errors
    }

    // MARK: Queries of apps and the user

    private func errors(_ app: BundleIdentifier, _ view: NaiveView, _ link: SampleLink) -> [String] {
        let explanation = device.sharing.explanation(of: link.url, for: app)
        let place = view.items.firstIndex { $0.key == naive.link(link.url)?.key }
        var errors = MismatchList("\(app) and \(link.url)")
        errors.expect("surfaced", explanation.isSurfaced, place != nil)
        errors.expect("place", explanation.rank?.position, place)
        errors.expect("gates", explanation.gates.map(\.gate), SurfacingGate.allCases)
        let failed = explanation.gates.first { $0.status == .fail && $0.gate != .curation }?.gate
        errors.expect("decided by", explanation.decidedBy, failed)
        let highlight = try? device.sharing.highlight(for: link.url, of: app)
        errors.expect("highlight", highlight?.url, place.map { view.items[$0].url })
        return errors.errors
    }

    private var differences: [String] {
        views.flatMap { app, view in pageErrors(app, view) + reportErrors(app, view) } + searchErrors
    }

    private func pageErrors(_ app: BundleIdentifier, _ view: NaiveView) -> [String] {
        let page = device.sharing.page(of: app, limit: 100)
        var errors = MismatchList("\(app)")
        errors.expect("state", page.state, view.state)
        errors.expect("list", page.highlights.map(\.url), view.items.map(\.url))
        errors.expect("total", page.total, view.items.count)
        errors.expect("curated", page.curated, view.items.first?.isEligible == true)
        errors.expect("gap", page.curationGap, view.curationGap(at: naive.clock))
        errors.expect("stale", page.stale ?? 0, view.items.filter(\.isStale).count)
        errors.expect("identifiers", Set(page.highlights.map(\.id)).count, view.items.count)
        guard let told = told[app] else { return errors.errors }
        errors.expect("told", told.list, page.highlights)
        errors.expect("told state", told.state, page.state)
        return errors.errors
    }

    private func reportErrors(_ app: BundleIdentifier, _ view: NaiveView) -> [String] {
        let ranked = device.sharing.report(on: app, limit: 100)?.items ?? []
        var errors = MismatchList("the report on \(app)")
        errors.expect("urls", ranked.map(\.highlight.url), view.items.map(\.url))
        errors.expect("positions", ranked.map(\.rank.position), Array(view.items.indices))
        errors.expect("pinned", ranked.map(\.isPinned), view.items.map { $0.pin != nil })
        errors.expect("scores", ranked.map(\.rank.score), view.items.map(\.score))
        errors.expect("sums", ranked.map { $0.rank.terms.map(\.points).reduce(0, +) }, view.items.map(\.score))
        errors.expect("shared", ranked.map(\.sharedAt.rawValue), view.items.map(\.sharedAt))
        errors.expect("conversations", ranked.map(\.conversations), view.items.map(\.conversations))
        return errors.errors
    }

    private var searchErrors: [String] {
        let found = device.sharing.search("", limit: 100)
        let expected = naive.found(views)
        var errors = MismatchList("search")
        errors.expect("urls", found.map(\.url), expected.map(\.url))
        errors.expect("apps", found.map(\.apps), expected.map(\.apps))
        errors.expect("pinned", found.map(\.isPinned), expected.map(\.isPinned))
        return errors.errors
    }
}
