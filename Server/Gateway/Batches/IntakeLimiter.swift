internal import Synchronization

/// What the batches that are being taken in may have of the process at once.
package struct IntakeLimits: Sendable, Equatable {
    /// The most batches.
    package var batches = 1_024

    /// The most bytes that they inflate to, all together.
    package var bytes = 1 << 30

    /// Creates the default limits.
    package init() {}
}

/// How much of what batches may have is in use, as a value.
struct IntakeBudget: Sendable {
    let limits: IntakeLimits
    private(set) var batches = 0
    private(set) var bytes = 0

    init(_ limits: IntakeLimits) {
        self.limits = limits
    }

    /// Lets one more batch in, where there is room for it.
    mutating func admit() throws(GatewayError) {
        guard batches < limits.batches else { throw .tooManyRequests(limit: limits.batches) }
        batches += 1
    }

    /// Lets a batch grow, where there is room for it.
    mutating func grow(by count: Int) throws(GatewayError) {
        guard bytes + count <= limits.bytes else { throw .overloaded }
        bytes += count
    }

    /// Takes a batch of `count` bytes out.
    mutating func leave(_ count: Int) {
        batches -= 1
        bytes -= count
    }
}

/// Admits batches while there is room for them; others are refused before they cost anything.
final class IntakeLimiter: Sendable {
    private let budget: Mutex<IntakeBudget>

    init(_ limits: IntakeLimits) {
        budget = Mutex(IntakeBudget(limits))
    }

    /// What is in use.
    var inUse: IntakeBudget {
        budget.withLock { $0 }
    }

    /// Admits a batch.
    ///
    /// - Throws: `GatewayError.tooManyRequests`.
    func admit() throws(GatewayError) -> Reservation {
        try budget.withLock { budget throws(GatewayError) in try budget.admit() }
        return Reservation(self)
    }

    /// What a batch has of the budget, until the last reference to it is gone.
    final class Reservation: Sendable {
        private let limiter: IntakeLimiter
        private let bytes = Mutex(0)

        fileprivate init(_ limiter: IntakeLimiter) {
            self.limiter = limiter
        }

        /// Makes room for a batch that is `count` bytes large by now.
        ///
        /// - Throws: `GatewayError.overloaded`.
        func reserve(upTo count: Int) throws(GatewayError) {
            try bytes.withLock { bytes throws(GatewayError) in
                guard count > bytes else { return }
                let growth = count - bytes
                try limiter.budget.withLock { budget throws(GatewayError) in try budget.grow(by: growth) }
                bytes = count
            }
        }

        deinit {
            let count = bytes.withLock { $0 }
            limiter.budget.withLock { $0.leave(count) }
        }
    }
}
