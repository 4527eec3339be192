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

    /// Creates the default limits.
    package init() {}
}
