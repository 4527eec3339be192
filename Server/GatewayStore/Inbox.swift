/// What one agent has yet to acknowledge, in the order of acceptance.
struct Inbox: Sendable {
    private var notifications: [Int: StoredNotification] = [:]

    /// The sequences in ascending order.
    ///
    /// What has left the inbox stays until half of them are gone, so that leaving
    /// costs a constant time on average.
    private var sequences: [Int] = []

    /// No notification here expires before this, in seconds since 1970, so that most reads need not look.
    private var earliestExpiration = Int.max

    mutating func append(_ notification: StoredNotification) {
        earliestExpiration = min(earliestExpiration, notification.notification.deadline ?? .max)
        notifications[notification.sequence] = notification
        sequences.append(notification.sequence)
    }

    /// Removes and returns what has `sequence`; `nil` where it is not there.
    mutating func remove(_ sequence: Int) -> StoredNotification? {
        guard let removed = notifications.removeValue(forKey: sequence) else { return nil }
        if sequences.count > 2 * notifications.count {
            sequences.removeAll { notifications[$0] == nil }
        }
        return removed
    }

    /// Returns the first `limit` notifications whose sequence is above `cursor`.
    ///
    /// - Complexity: O(log n + limit) for n notifications, gaps aside.
    func read(after cursor: Int, limit: Int) -> [StoredNotification] {
        var page: [StoredNotification] = []
        var index = firstIndex(above: cursor)
        while index < sequences.count && page.count < limit {
            if let notification = notifications[sequences[index]] { page.append(notification) }
            index += 1
        }
        return page
    }

    /// The sequences of what has expired at `seconds`, ascending; they are to be removed.
    mutating func expired(at seconds: Int) -> [Int] {
        guard earliestExpiration <= seconds else { return [] }
        let isExpired = { (stored: StoredNotification) in (stored.notification.deadline ?? .max) <= seconds }
        earliestExpiration =
            notifications.values.lazy
            .filter { !isExpired($0) }
            .compactMap(\.notification.deadline)
            .min() ?? .max
        return sequences(where: isExpired)
    }

    /// The sequences in `range`, ascending.
    func sequences(in range: ClosedRange<Int>) -> [Int] {
        sequences[firstIndex(above: range.lowerBound - 1)..<firstIndex(above: range.upperBound)]
            .filter { notifications[$0] != nil }
    }

    /// The sequences of what `isMatching` holds for, ascending.
    func sequences(where isMatching: (StoredNotification) -> Bool) -> [Int] {
        sequences.filter { notifications[$0].map(isMatching) ?? false }
    }

    private func firstIndex(above sequence: Int) -> Int {
        var (low, high) = (0, sequences.count)
        while low < high {
            let middle = (low + high) / 2
            if sequences[middle] > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
