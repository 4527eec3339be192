internal import NIOCore

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

    /// Creates the default limits.
    package init() {}
}

/// The delays before an unacknowledged notification is sent again; the delay doubles each time.
package struct RedeliveryPolicy: Sendable, Equatable {
    /// The delay in seconds before the second delivery.
    package var initialDelay = 30

    /// The maximum delay in seconds.
    package var maximumDelay = 15 * 60

    /// Creates the default policy.
    package init() {}

    /// Returns the delay after the `count`th delivery, counted from 1.
    func delay(after count: Int) -> TimeAmount {
        // After thirty doublings, the maximum delay is reached in any case.
        let (seconds, isBeyondInt) = initialDelay.multipliedReportingOverflow(by: 1 << min(max(count, 1) - 1, 30))
        return .seconds(Int64(isBeyondInt ? maximumDelay : min(seconds, maximumDelay)))
    }
}
