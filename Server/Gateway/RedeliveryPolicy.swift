internal import NIOCore

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
