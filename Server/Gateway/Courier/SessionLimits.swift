/// The limits for the notifications of one device that the gateway keeps in memory; the others are in the inbox.
package struct SessionLimits: Sendable, Equatable {
    /// The maximum number of unacknowledged notifications; more are sent once some are acknowledged.
    package var window = 1_000

    /// The maximum number of notifications that wait for the socket.
    package var queue = 1_000

    /// The maximum size in bytes of the payloads that wait for the socket.
    package var queueBytes = 256 << 10

    /// The maximum number of notifications that are read from the inbox at once.
    package var page = 256

    /// The maximum size in bytes of the events that are written at once; the next ones follow once the client reads.
    package var writeBytes = 64 << 10

    /// The memory in bytes for all that waits for the sockets of streams, of which each has an equal share.
    package var memory = 512 << 20

    /// The minimum of `queueBytes` and of `writeBytes`, however many streams there are: about one notification.
    private static let minimumShare = 4 << 10

    /// Creates the default limits.
    package init() {}

    /// Returns the limits of a stream that shares the memory with others.
    ///
    /// - Parameter count: the number of streams.
    /// - Returns: the limits; `queueBytes` and `writeBytes` are lower if the memory is not enough for all streams.
    func shared(among count: Int) -> Self {
        let share = max(Self.minimumShare, memory / max(1, 2 * count))
        var limits = self
        limits.queueBytes = min(queueBytes, share)
        limits.writeBytes = min(writeBytes, share)
        return limits
    }
}
