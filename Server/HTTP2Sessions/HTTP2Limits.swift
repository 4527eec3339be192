/// What one client may have going at once, and how much of it is kept.
package struct HTTP2Limits: Sendable, Equatable {
    /// The most streams that are open at once (`SETTINGS_MAX_CONCURRENT_STREAMS`).
    package var concurrentStreams = 1_000

    /// The streams that a client is told to have at first; `nil` for as many as it may have.
    package var announcedStreams: Int?

    /// The most bytes of a request's header list, as RFC 9113, section 6.5.2 counts them: 32 more for each field.
    package var headerList = 16 << 10

    /// The most bytes of a request's body that are kept; of a longer one it is only known that it is longer.
    package var body = 64 << 10

    /// The most bytes of requests that have not come whole.
    package var unfinished = 16 << 20

    /// The bytes that a client may send before it hears from us, for all its streams together.
    package var window = 1 << 20

    /// Creates the standard limits.
    package init() {}
}
