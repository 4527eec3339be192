/// The memory of the incomplete requests of one connection of a provider, which is a part of that of batches.
struct IncompleteRequestMemory {
    /// The size in bytes that needs no room on an HTTP/2 connection, which may have many small incomplete requests.
    static let http2FreeSize = 64 << 10

    private let limiter: IntakeLimiter
    private let freeSize: Int
    private var reservation: IntakeLimiter.Reservation?

    /// Creates the memory of a connection on which `freeSize` bytes need no room.
    init(_ limiter: IntakeLimiter, freeSize: Int) {
        self.limiter = limiter
        self.freeSize = freeSize
    }

    /// Records the number of bytes that are in memory now.
    ///
    /// - Throws: `GatewayError.overloaded` if there is no room.
    mutating func record(byteCount count: Int) throws(GatewayError) {
        guard count > freeSize else { return clear() }
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
