import WaypostSchema

/// The highlights that an app may see.
struct NaiveView {
    let state: HighlightsState
    let items: [NaiveItem]

    /// Returns whether the app cannot distinguish the two.
    func looksLike(_ other: Self) -> Bool {
        state == other.state
            && items.elementsEqual(other.items) { left, right in
                left.key == right.key && left.url == right.url && left.messages == right.messages
                    && (left.pin == nil) == (right.pin == nil)
            }
    }

    func curationGap(at now: Int) -> CurationGapReason? {
        guard let first = items.first else { return .empty }
        if first.isEligible { return nil }
        let recent = items.filter { now < $0.opensAt && !$0.isStale }.count
        return recent == items.count ? .tooRecent : recent == 0 ? .stale : .tooRecentOrStale
    }
}

/// A link that a search without words finds.
struct NaiveFinding {
    let url: String
    let apps: [BundleIdentifier]
    let isPinned: Bool

    /// The numbers by which findings are sorted, the greatest first.
    let numbers: [Int]
}
