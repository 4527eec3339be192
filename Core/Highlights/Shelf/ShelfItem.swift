internal import WaypostSchema

/// An item of an app's list: a link that passed every gate, from one conversation or several.
struct ShelfItem: Sendable, Equatable, Codable {
    let key: ContentKey

    /// The URL of the latest share.
    let url: String

    /// When the latest share was sent.
    let sharedAt: Timestamp

    /// The messages that are shown, one of each conversation, the latest first.
    let messages: [MessageID]

    /// When it was pinned last; `nil` where it is not.
    let pinnedAt: Timestamp?

    /// The suggestion score.
    let score: Int

    /// From when on it can have the first place.
    let opensAt: Timestamp

    /// Until when it can have the first place; `nil` for always, as it is pinned.
    let closesAt: Timestamp?

    /// Whether its attribution and its URL are the same as another's.
    func isShown(like other: ShelfItem) -> Bool {
        url == other.url && messages == other.messages && (pinnedAt == nil) == (other.pinnedAt == nil)
    }

    /// Returns why it cannot have the first place at a time; `nil` where it can.
    func firstPlaceGap(at now: Timestamp) -> FirstPlaceGap? {
        guard opensAt <= now else { return .tooRecent }
        return closesAt.map { $0 <= now } == true ? .stale : nil
    }

    /// Its place among the items that can be first: the highest score, then the latest share, then by key.
    var scorePlace: Place {
        Place(-score, -sharedAt.rawValue, 0, key)
    }

    /// Its place among the items of its section: pinned ones by pin, others by share, the latest first.
    var sectionPlace: Place {
        guard let pinnedAt else { return Place(-sharedAt.rawValue, -score, 0, key) }
        return Place(-pinnedAt.rawValue, -score, -sharedAt.rawValue, key)
    }
}

/// A place in an order of keys: the smaller numbers first, and in equal places the key that comes first byte by byte.
struct Place: Comparable, Sendable, Codable {
    let first: Int
    let second: Int
    let third: Int
    let key: ContentKey

    init(_ first: Int, _ second: Int, _ third: Int, _ key: ContentKey) {
        (self.first, self.second, self.third, self.key) = (first, second, third, key)
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.first != right.first { return left.first < right.first }
        if left.second != right.second { return left.second < right.second }
        if left.third != right.third { return left.third < right.third }
        // Keys are ASCII, so that this is the order of their bytes.
        return left.key.rawValue < right.key.rawValue
    }
}
