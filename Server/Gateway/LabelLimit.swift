internal import Synchronization

/// The values of one label that have a series of their own: so many, as each costs memory here and in whatever scrapes it.
final class LabelLimit: Sendable {
    /// The label of all values beyond the limit.
    static let other = "other"

    private let limit: Int
    private let values = Mutex<Set<String>>([])

    init(_ limit: Int = 200) {
        self.limit = limit
    }

    /// Returns the label of a value: the value, where it has a series or there is room for one more.
    func label(_ value: String) -> String {
        values.withLock { values in
            guard !values.contains(value) else { return value }
            guard values.count < limit else { return Self.other }
            values.insert(value)
            return value
        }
    }

    /// Makes room by forgetting all values but these.
    func forget(allBut kept: Set<String>) {
        values.withLock { $0.formIntersection(kept) }
    }
}
