import Delivery
import WaypostSchema

/// What one agent has yet to acknowledge, in the order of acceptance.
///
/// A slot of a device's topic has one notification here at most.
struct Inbox: Sendable {
    /// A notification, the slot that it has, and when it expires, in seconds since 1970.
    struct Item: Sendable, Equatable {
        var stored: StoredNotification
        var slot: CollapseSlot?
        var deadline: Int?

        var token: DeviceToken { stored.notification.token }
        var topic: Topic { stored.notification.topic }

        fileprivate var place: Place? {
            slot.map { Place(token: token, topic: topic, slot: $0) }
        }
    }

    fileprivate struct Place: Hashable {
        var token: DeviceToken
        var topic: Topic
        var slot: CollapseSlot
    }

    private var items: [Int: Item] = [:]

    /// The sequences in ascending order.
    ///
    /// What has left the inbox stays until half of them are gone, so that leaving
    /// costs a constant time on average.
    private var sequences: [Int] = []

    /// The sequence of what is in each place.
    private var occupants: [Place: Int] = [:]

    /// Nothing here expires before this, in seconds since 1970, so that most sweeps need not look.
    private(set) var earliestDeadline = Int.max

    /// How many notifications are here.
    var count: Int {
        items.count
    }

    /// What was accepted first of what is here.
    var first: StoredNotification? {
        sequences.lazy.compactMap { items[$0]?.stored }.first
    }

    /// Adds what was accepted last; returns what it takes the place of.
    mutating func store(_ item: Item) -> Item? {
        let replaced = item.place.flatMap { occupants[$0] }.flatMap { remove($0) }
        earliestDeadline = min(earliestDeadline, item.deadline ?? .max)
        if let place = item.place { occupants[place] = item.stored.sequence }
        items[item.stored.sequence] = item
        sequences.append(item.stored.sequence)
        return replaced
    }

    /// Removes and returns what has `sequence`; `nil` where it is not there.
    mutating func remove(_ sequence: Int) -> Item? {
        guard let removed = items.removeValue(forKey: sequence) else { return nil }
        if let place = removed.place { occupants[place] = nil }
        if sequences.count > 2 * items.count {
            sequences.removeAll { items[$0] == nil }
        }
        return removed
    }

    /// Removes and returns everything that `isLeaving` holds for, ascending.
    mutating func removeAll(where isLeaving: (Item) -> Bool) -> [Item] {
        sequences(where: isLeaving).compactMap { remove($0) }
    }

    /// Removes and returns what has expired at `seconds`, ascending.
    mutating func removeExpired(at seconds: Int) -> [Item] {
        guard earliestDeadline <= seconds else { return [] }
        let expired = removeAll { ($0.deadline ?? .max) <= seconds }
        earliestDeadline = items.values.lazy.compactMap(\.deadline).min() ?? .max
        return expired
    }

    /// Returns the first `limit` notifications whose sequence is above `cursor` and that `isDeliverable` holds for.
    ///
    /// - Complexity: O(log n + limit) for n notifications, what is left out and gaps aside.
    func page(after cursor: Int, limit: Int, where isDeliverable: (Item) -> Bool) -> [StoredNotification] {
        var page: [StoredNotification] = []
        var index = sequences.firstIndex(above: cursor, by: \.self)
        while index < sequences.count && page.count < limit {
            if let item = items[sequences[index]], isDeliverable(item) { page.append(item.stored) }
            index += 1
        }
        return page
    }

    /// Gives what is here for a device to the device's new token.
    mutating func move(from token: DeviceToken, to newToken: DeviceToken) {
        for sequence in sequences(where: { $0.token == token }) {
            change(sequence) { $0.stored.notification.token = newToken }
        }
    }

    /// Gives the newest of each device and each of `topics` the one slot of its topic; removes and returns the others,
    /// ascending.
    mutating func keepNewest(of topics: Set<Topic>) -> [Item] {
        let all = sequences { topics.contains($0.topic) }.compactMap { items[$0] }
        var newest: [Place: Int] = [:]
        for item in all {
            newest[Place(token: item.token, topic: item.topic, slot: .topic)] = item.stored.sequence
        }
        let kept = Set(newest.values)
        let removed = all.map(\.stored.sequence).filter { !kept.contains($0) }.compactMap { remove($0) }
        for sequence in kept { change(sequence) { $0.slot = .topic } }
        return removed
    }

    /// Gives what is here of `topic` and has a slot the slot that `policy` says.
    mutating func giveSlots(by policy: StoragePolicy, of topic: Topic) {
        for sequence in sequences(where: { $0.topic == topic && $0.slot != nil }) {
            change(sequence) { $0.slot = policy.slot(collapseID: $0.stored.notification.collapseID) }
        }
    }

    /// Changes an item, which has the place that follows from it afterwards.
    private mutating func change(_ sequence: Int, _ body: (inout Item) -> Void) {
        guard var item = items[sequence] else { return }
        if let place = item.place { occupants[place] = nil }
        body(&item)
        if let place = item.place { occupants[place] = sequence }
        items[sequence] = item
    }

    /// The sequences of what `isMatching` holds for, ascending.
    private func sequences(where isMatching: (Item) -> Bool) -> [Int] {
        sequences.filter { items[$0].map(isMatching) ?? false }
    }
}
