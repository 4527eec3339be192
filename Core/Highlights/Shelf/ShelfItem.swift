internal import Consent
internal import WaypostSchema

/// An item of an app's list: a link that passed every gate, from one or more conversations.
struct ShelfItem: Sendable, Equatable, Codable {
    let key: ContentKey

    /// The URL of the latest share.
    let url: String

    /// The time at which the latest share was sent.
    let sharedAt: Timestamp

    /// The number of the latest share in the order of arrival.
    let arrival: Int

    /// The messages that are shown, one for each conversation, the latest first.
    let messages: [MessageID]

    /// The latest pin; `nil` if the item is not pinned.
    let pin: EventMoment?

    /// The suggestion score.
    let score: Int

    /// The time from which the item is eligible for the first place.
    let eligibleFrom: Timestamp

    /// The time until which the item is eligible for the first place; `nil` for a pinned item, which has no limit.
    let eligibleUntil: Timestamp?

    /// The time of the latest pin; `nil` if the item is not pinned.
    var pinnedAt: Timestamp? {
        pin?.at
    }

    /// Returns whether the item's attribution and URL are the same as another's.
    func isShown(like other: ShelfItem) -> Bool {
        url == other.url && messages == other.messages && (pinnedAt == nil) == (other.pinnedAt == nil)
    }

    /// Returns why the item is not eligible for the first place at a time; `nil` if it is.
    func firstPlaceGap(at now: Timestamp) -> FirstPlaceGap? {
        // An old message whose links were edited now is both.
        if let eligibleUntil, eligibleUntil <= now { return .stale }
        return eligibleFrom <= now ? nil : .tooRecent
    }

    /// The time at which an item that is too recent becomes eligible, or stale if that is earlier.
    var tooRecentUntil: Timestamp {
        min(eligibleFrom, eligibleUntil ?? eligibleFrom)
    }

    /// The item's sort key among those eligible for the first place: the highest score, then the latest share, then the
    /// latest arrival.
    var scoreSortKey: SortKey {
        SortKey(-score, -sharedAt.rawValue, tertiary: -arrival, key: key)
    }

    /// The item's sort key in its section: pinned items by their pins, others by their shares, the latest first.
    ///
    /// Links that one event pinned are ordered by arrival.
    var sectionSortKey: SortKey {
        guard let pin else { return SortKey(-sharedAt.rawValue, -arrival, tertiary: 0, key: key) }
        return SortKey(-pin.at.rawValue, -pin.eventNumber, tertiary: -arrival, key: key)
    }
}

/// A key by which items are sorted: smaller numbers come first; equal numbers are ordered by the bytes of the content
/// key.
struct SortKey: Comparable, Sendable, Codable {
    /// The numbers, the most significant first.
    let primary: Int
    let secondary: Int
    let tertiary: Int
    let key: ContentKey

    init(_ primary: Int, _ secondary: Int, tertiary: Int, key: ContentKey) {
        (self.primary, self.secondary, self.tertiary, self.key) = (primary, secondary, tertiary, key)
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.primary != right.primary { return left.primary < right.primary }
        if left.secondary != right.secondary { return left.secondary < right.secondary }
        if left.tertiary != right.tertiary { return left.tertiary < right.tertiary }
        // Keys are ASCII, so this is their byte order.
        return left.key.rawValue < right.key.rawValue
    }
}
