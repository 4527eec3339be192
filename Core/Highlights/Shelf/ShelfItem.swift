internal import WaypostSchema

/// An item of an app's list: a link that passed every gate, from one or more conversations.
struct ShelfItem: Sendable, Equatable, Codable {
    let key: ContentKey

    /// The URL of the latest share.
    let url: String

    /// The time at which the latest share was sent.
    let sharedAt: Timestamp

    /// The messages that are shown, one for each conversation, the latest first.
    let messages: [MessageID]

    /// The time of the latest pin; `nil` if the item is not pinned.
    let pinnedAt: Timestamp?

    /// The suggestion score.
    let score: Int

    /// The time from which the item is eligible for the first place.
    let opensAt: Timestamp

    /// The time until which the item is eligible for the first place; `nil` for a pinned item, which has no limit.
    let closesAt: Timestamp?

    /// Returns whether the item's attribution and URL are the same as another's.
    func isShown(like other: ShelfItem) -> Bool {
        url == other.url && messages == other.messages && (pinnedAt == nil) == (other.pinnedAt == nil)
    }

    /// Returns why the item is not eligible for the first place at a time; `nil` if it is.
    func firstPlaceGap(at now: Timestamp) -> FirstPlaceGap? {
        guard opensAt <= now else { return .tooRecent }
        return closesAt.map { $0 <= now } == true ? .stale : nil
    }

    /// The item's sort key among those eligible for the first place: the highest score, then the latest share, then the
    /// content key.
    var scoreSortKey: SortKey {
        SortKey(-score, -sharedAt.rawValue, third: 0, key: key)
    }

    /// The item's sort key in its section: pinned items by their pins, others by their shares, the latest first.
    var sectionSortKey: SortKey {
        guard let pinnedAt else { return SortKey(-sharedAt.rawValue, -score, third: 0, key: key) }
        return SortKey(-pinnedAt.rawValue, -score, third: -sharedAt.rawValue, key: key)
    }
}

/// A key by which items are sorted: smaller numbers come first; equal numbers are ordered by the bytes of the content
/// key.
struct SortKey: Comparable, Sendable, Codable {
    /// The numbers, the most significant first.
    let first: Int
    let second: Int
    let third: Int
    let key: ContentKey

    init(_ first: Int, _ second: Int, third: Int, key: ContentKey) {
        (self.first, self.second, self.third, self.key) = (first, second, third, key)
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.first != right.first { return left.first < right.first }
        if left.second != right.second { return left.second < right.second }
        if left.third != right.third { return left.third < right.third }
        // Keys are ASCII, so this is their byte order.
        return left.key.rawValue < right.key.rawValue
    }
}
