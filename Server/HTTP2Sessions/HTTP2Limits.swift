/// The limits for the open streams of one client, and for the memory of its requests.
package struct HTTP2Limits: Sendable, Equatable {
    /// The maximum number of open streams (`SETTINGS_MAX_CONCURRENT_STREAMS`).
    package var concurrentStreamCount = 1_000

    /// The number of streams that the server announces at first; `nil` to announce `concurrentStreamCount`.
    package var announcedStreamCount: Int?

    /// The maximum size of a request's header list in bytes, with 32 added for each field (RFC 9113, section 6.5.2).
    package var headerListSize = 16 << 10

    /// The maximum size in bytes of the request body that is kept.
    ///
    /// Of a longer body, the server only records that it is too long.
    package var bodySize = 64 << 10

    /// The maximum total size in bytes of the incomplete requests.
    package var totalRequestSize = 16 << 20

    /// The flow-control window of the connection: the bytes that a client may send before the server extends it.
    package var windowSize = 1 << 20

    /// Creates the default limits.
    package init() {}
}
