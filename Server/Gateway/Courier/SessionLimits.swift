internal import NIOCore

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

/// When a notification that was sent and not acknowledged is sent again: after a while, which doubles each time.
package struct RedeliveryPolicy: Sendable, Equatable {
    /// The seconds after which it is sent for the second time.
    package var first = 30

    /// The most seconds between two times.
    package var longest = 15 * 60

    /// Creates the policy that a gateway has.
    package init() {}

    /// Returns how long to wait after the `count`th time, from 1.
    func wait(after count: Int) -> TimeAmount {
        // Beyond thirty doublings any longest wait is reached.
        let (seconds, isBeyondInt) = first.multipliedReportingOverflow(by: 1 << min(max(count, 1) - 1, 30))
        return .seconds(Int64(isBeyondInt ? longest : min(seconds, longest)))
    }
}
