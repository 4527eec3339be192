internal import Synchronization

/// The limits for all batches that are in progress at the same time, long answers and the bodies of other requests.
package struct IntakeLimits: Sendable, Equatable {
    /// The maximum number of batches.
    package var batches = 1_024

    /// The maximum memory in bytes, as `BatchFootprint` and `BodyFootprint` estimate it.
    package var bytes = 1_536 << 20

    /// Creates the default limits.
    package init() {}
}

/// An estimate of the memory that a batch needs until it is answered.
enum BatchFootprint {
    /// The bytes of memory for each byte of the inflated body.
    ///
    /// While the body grows, there is an array of its size and one with room for twice as much. Later there are the
    /// body, with unused room, and the payloads that are copied from it.
    private static let bytesPerByte = 3

    /// The bytes of memory for each item beside its payload: identifiers, its result, and a sentence if it is refused.
    private static let bytesPerItem = 1 << 10

    /// Returns the bytes of memory for a body of `size` bytes with `itemCount` items.
    static func bytes(body size: Int, items itemCount: Int = 0) -> Int {
        bytesPerByte * size + bytesPerItem * itemCount
    }
}

/// The part of the intake limits that is in use.
struct IntakeBudget: Sendable {
    let limits: IntakeLimits
    private(set) var batches = 0
    private(set) var bytes = 0

    /// The maximum of `bytes` since the end of the last burst.
    private var peak = 0

    /// The minimum memory of a burst, after which freed memory is given back to the system.
    static let minimumBurst = 64 << 20

    init(_ limits: IntakeLimits) {
        self.limits = limits
    }

    /// Returns whether a burst has ended since the last call: many bytes were in use, and three quarters are free.
    mutating func takeBurstEnd() -> Bool {
        guard peak >= Self.minimumBurst, bytes <= peak / 4 else { return false }
        peak = bytes
        return true
    }

    /// Counts one more batch.
    ///
    /// - Throws: `GatewayError.tooManyRequests` if there are too many.
    mutating func admit() throws(GatewayError) {
        guard batches < limits.batches else { throw .tooManyRequests(limit: limits.batches) }
        batches += 1
    }

    /// Counts `count` more bytes, of a batch or of something else.
    ///
    /// The last quarter is for batches, so that slow clients of other calls do not keep all memory from them.
    ///
    /// - Throws: `GatewayError.overloaded` if there are too many.
    mutating func grow(by count: Int, isBatch: Bool = true) throws(GatewayError) {
        guard bytes + count <= (isBatch ? limits.bytes : limits.bytes / 4 * 3) else { throw .overloaded }
        bytes += count
        peak = max(peak, bytes)
    }

    /// Removes `count` bytes of a batch or of a body that are no longer in use.
    mutating func shrink(by count: Int) {
        bytes -= count
    }

    /// Removes a batch of `count` bytes.
    mutating func release(bytes count: Int) {
        batches -= 1
        shrink(by: count)
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

    /// Returns whether a burst of batches has ended since the last call.
    func takeBurstEnd() -> Bool {
        budget.withLock { $0.takeBurstEnd() }
    }

    /// Admits a batch.
    ///
    /// - Throws: `GatewayError.tooManyRequests` if there are too many.
    func admit() throws(GatewayError) -> Reservation {
        try budget.withLock { budget throws(GatewayError) in try budget.admit() }
        return Reservation(self, isBatch: true)
    }

    /// Returns an empty share of the budget for something that is not a batch.
    func makeReservation() -> Reservation {
        Reservation(self, isBatch: false)
    }

    /// A share of the budget, which is returned when the last reference is released.
    final class Reservation: Sendable {
        private let limiter: IntakeLimiter
        private let isBatch: Bool
        private let bytes = Mutex(0)

        fileprivate init(_ limiter: IntakeLimiter, isBatch: Bool) {
            self.limiter = limiter
            self.isBatch = isBatch
        }

        /// Grows the share to the `count` bytes that are in use now.
        ///
        /// - Throws: `GatewayError.overloaded` if there is no room.
        func reserve(upTo count: Int) throws(GatewayError) {
            try bytes.withLock { bytes throws(GatewayError) in
                guard count > bytes else { return }
                let growth = count - bytes
                try limiter.budget.withLock { budget throws(GatewayError) in
                    try budget.grow(by: growth, isBatch: isBatch)
                }
                bytes = count
            }
        }

        /// Shrinks the share to the `count` bytes that are still in use.
        func shrink(to count: Int) {
            bytes.withLock { bytes in
                guard count < bytes else { return }
                let excess = bytes - count
                limiter.budget.withLock { $0.shrink(by: excess) }
                bytes = count
            }
        }

        deinit {
            let count = bytes.withLock { $0 }
            limiter.budget.withLock { budget in
                if isBatch { budget.release(bytes: count) } else { budget.shrink(by: count) }
            }
        }
    }
}
