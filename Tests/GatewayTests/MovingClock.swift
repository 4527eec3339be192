import Synchronization
import WaypostSchema

/// A clock that a test moves.
final class MovingClock: Sendable {
    private let milliseconds = Mutex(1_790_000_000_000)

    var now: @Sendable () -> Timestamp {
        { Timestamp(milliseconds: self.milliseconds.withLock { $0 }) }
    }

    func advance(seconds: Int) {
        milliseconds.withLock { $0 += seconds * 1_000 }
    }
}
