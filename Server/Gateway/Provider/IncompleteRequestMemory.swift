/// The memory of the incomplete requests of one connection of a provider, which is a part of that of batches.
struct IncompleteRequestMemory {
    private let limiter: IntakeLimiter
    private var reservation: IntakeLimiter.Reservation?

    init(_ limiter: IntakeLimiter) {
        self.limiter = limiter
    }

    /// Records the number of bytes that are in memory now; up to `BodyFootprint.freeSize` they need no room.
    ///
    /// - Throws: `GatewayError.overloaded` if there is no room.
    mutating func record(byteCount count: Int) throws(GatewayError) {
        guard count > BodyFootprint.freeSize else { return clear() }
        let reservation = reservation ?? limiter.makeReservation()
        self.reservation = reservation
        reservation.shrink(to: count)
        try reservation.reserve(upTo: count)
    }

    /// Records that nothing is in memory.
    mutating func clear() {
        reservation = nil
    }
}
