internal import Synchronization

/// The limits for all batches that are in progress at the same time.
package struct IntakeLimits: Sendable, Equatable {
    /// The maximum number of batches.
    package var batches = 1_024

    /// The maximum total size of the inflated bodies, in bytes; a body has at most 256 MiB.
    package var bytes = 512 << 20

    /// Creates the default limits.
    package init() {}
}

/// The part of the intake limits that is in use.
struct IntakeBudget: Sendable {
    let limits: IntakeLimits
    private(set) var batches = 0
    private(set) var bytes = 0

    init(_ limits: IntakeLimits) {
        self.limits = limits
    }

    /// Counts one more batch.
    ///
    /// - Throws: `GatewayError.tooManyRequests` if there are too many.
    mutating func admit() throws(GatewayError) {
        guard batches < limits.batches else { throw .tooManyRequests(limit: limits.batches) }
        batches += 1
    }

    /// Counts `count` more bytes of a batch.
    ///
    /// - Throws: `GatewayError.overloaded` if there are too many.
    mutating func grow(by count: Int) throws(GatewayError) {
        guard bytes + count <= limits.bytes else { throw .overloaded }
        bytes += count
    }

    /// Removes a batch of `count` bytes.
    mutating func release(bytes count: Int) {
        batches -= 1
        bytes -= count
    }
}

/// Admits batches while there is room, and refuses others before they use resources.
final class IntakeLimiter: Sendable {
    private let budget: Mutex<IntakeBudget>

    init(_ limits: IntakeLimits) {
        budget = Mutex(IntakeBudget(limits))
    }

    /// The part of the limits that is in use.
    var usage: IntakeBudget {
        budget.withLock { $0 }
    }

    /// Admits a batch.
    ///
    /// - Throws: `GatewayError.tooManyRequests` if there are too many.
    func admit() throws(GatewayError) -> Reservation {
        try budget.withLock { budget throws(GatewayError) in try budget.admit() }
        return Reservation(self)
    }

    /// A batch's share of the budget, which is returned when the last reference is released.
    final class Reservation: Sendable {
        private let limiter: IntakeLimiter
        private let bytes = Mutex(0)

        fileprivate init(_ limiter: IntakeLimiter) {
            self.limiter = limiter
        }

        /// Grows the share to the `count` bytes that the batch has now.
        ///
        /// - Throws: `GatewayError.overloaded` if there is no room.
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
            limiter.budget.withLock { $0.release(bytes: count) }
        }
    }
}
