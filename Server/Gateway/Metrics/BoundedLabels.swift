internal import Synchronization

/// The values of one label that have a series of their own, limited because each costs memory here and in the scraper.
final class BoundedLabels: Sendable {
    /// The label of all values beyond the limit.
    static let other = "other"

    private let limit: Int
    private let values = Mutex<Set<String>>([])

    init(_ limit: Int = 200) {
        self.limit = limit
    }

    /// Returns the label of a value: the value itself if it has a series or there is room for one more, otherwise
    /// `other`.
    func label(_ value: String) -> String {
        values.withLock { values in
            guard !values.contains(value) else { return value }
            guard values.count < limit else { return Self.other }
            values.insert(value)
            return value
        }
    }

    /// Removes all values except these, to make room.
    func removeAll(except values: Set<String>) {
        self.values.withLock { $0.formIntersection(values) }
    }
}
