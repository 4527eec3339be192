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
                    && (left.pinnedAt == nil) == (right.pinnedAt == nil)
            }
    }

    func curationGap(at now: Int) -> CurationGapReason? {
        guard let first = items.first else { return .empty }
        if first.isEligible { return nil }
        let recent = items.filter { now < $0.opensAt }.count
        return recent == items.count ? .tooRecent : recent == 0 ? .stale : .tooRecentOrStale
    }
}

/// A link that a search without words finds.
struct NaiveFinding {
    let item: NaiveItem
    let apps: [BundleIdentifier]
}

extension [BundleIdentifier: NaiveView] {
    /// The links of all apps, each once: first pinned links by their pins, then others by their shares.
    var found: [NaiveFinding] {
        let keys = Set(values.flatMap { $0.items.map(\.key) })
        return keys.compactMap { key in
            let items = values.flatMap { $0.items.filter { $0.key == key } }
            let apps = filter { $0.value.items.contains { $0.key == key } }.keys.sorted { $0.rawValue < $1.rawValue }
            return items.min(by: NaiveItem.isFoundBefore).map { NaiveFinding(item: $0, apps: apps) }
        }
        .sorted { NaiveItem.isFoundBefore($0.item, $1.item) }
    }
}

extension NaiveItem {
    fileprivate static func isFoundBefore(_ left: Self, _ right: Self) -> Bool {
        (left.pinnedAt == nil ? 1 : 0, -(left.pinnedAt ?? left.sharedAt), -left.sharedAt, left.key.rawValue)
            < (right.pinnedAt == nil ? 1 : 0, -(right.pinnedAt ?? right.sharedAt), -right.sharedAt, right.key.rawValue)
    }
}
