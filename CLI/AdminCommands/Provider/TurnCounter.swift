internal import Synchronization

/// A counter that gives each of several receivers its turn.
final class TurnCounter: Sendable {
    private let count = Mutex(0)

    /// Returns the number of the next receiver, of `total`.
    func next(below total: Int) -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count % max(1, total)
        }
    }
}
