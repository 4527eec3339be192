internal import Consent
internal import HashTreeCollections
public import WaypostSchema

extension SharedWithYou {
    /// Returns a page of an app's highlights with the reasons for their order.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - offset: the number of items to skip; a negative value counts as 0.
    ///   - limit: the maximum number of items.
    /// - Returns: the page that the app reads, with the rank of each item; `nil` if the app is not on the device.
    public func report(on app: BundleIdentifier, from offset: Int = 0, limit: Int) -> ShelfReport? {
        guard let center = centers[app] else { return nil }
        let page = page(of: app, from: offset, limit: limit)
        let keys = page.state == .ready ? center.shelf.keys(from: page.offset, limit: limit) : []
        return ShelfReport(
            app: app,
            state: page.state,
            explanation: explanation(of: page.state, of: center),
            total: page.total,
            curated: page.curated,
            curationGap: page.curationGap,
            stale: page.stale,
            items: keys.compactMap { center.shelf.items[$0] }.map { item in
                RankedHighlight(
                    highlight: center.highlight(item),
                    rank: rank(of: item, in: center),
                    isPinned: item.pinnedAt != nil,
                    sharedAt: item.sharedAt,
                    conversations: item.messages.compactMap { messageStore.messages[$0]?.conversation }
                )
            }
        )
    }

    private func explanation(of state: HighlightsState, of center: HighlightCenter) -> String {
        let app = center.app.bundleIdentifier
        switch state {
        case .ready: return "\(center.shelf.count) \(center.shelf.count == 1 ? "link" : "links") passed every gate"
        case .empty where !consent.isAutomatic(app):
            return "no link passed every gate; automatic sharing is off, so only pinned links can"
        case .empty: return "no link passed every gate"
        case .notLoaded:
            let domains = center.app.uncheckedDomains(records).joined(separator: ", ")
            return "domains not yet asked for their association files: \(domains)"
        case .denied:
            guard center.app.hasCapability else {
                return "\(app) lacks the entitlement com.apple.developer.shared-with-you"
            }
            return consent.isOff(.everywhere) ? "sharing is off everywhere" : "sharing is off for \(app)"
        }
    }

    /// The apps on the device, sorted by bundle identifier.
    public var apps: [BundleIdentifier] {
        centers.keys.sorted { $0.rawValue < $1.rawValue }
    }

    func rank(of item: ShelfItem, in center: HighlightCenter) -> HighlightRank {
        let section: HighlightRank.Section = item.pinnedAt == nil ? .recent : .pinned
        let score = score(item, in: center)
        return HighlightRank(
            position: center.shelf.position(of: item.key) ?? 0,
            section: center.shelf.curated == item.key ? .curated : section,
            score: score.total(ranking),
            terms: score.terms(ranking),
            firstPlaceGap: item.firstPlaceGap(at: clock)
        )
    }
}
