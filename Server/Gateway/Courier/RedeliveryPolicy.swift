internal import NIOCore

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
