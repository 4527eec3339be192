/// How much of one device's notifications the gateway has in mind at once; the rest is in the inbox.
package struct SessionLimits: Sendable, Equatable {
    /// The most notifications that are sent and not acknowledged; more come once some are.
    package var window = 1_000

    /// The most notifications that wait for the socket.
    package var queue = 256

    /// The most bytes of payloads that wait for the socket.
    package var queueBytes = 256 << 10

    /// The most notifications that are read from the inbox at once.
    package var page = 64

    /// Creates the limits that a gateway has.
    package init() {}
}
