package import WaypostSchema

/// A filter for a gateway's delivery log.
package struct NotificationFilter: Sendable, Equatable {
    /// The token to which notifications were sent, or whose current device they are for; `nil` for any.
    package var token: DeviceToken?

    /// The app that notifications are for; `nil` for any.
    package var topic: Topic?

    /// The trace that notifications belong to; `nil` for any.
    package var trace: TraceID?

    /// The states of notifications; empty for any.
    package var states: [DeliveryState] = []

    /// The earliest time of arrival: milliseconds since 1970, or a time before now such as `10m`.
    package var earliestArrival: String?

    /// The sequence after which the log is read.
    package var afterSequence: Int?

    /// The maximum number of notifications on a page.
    package var limit: Int?

    /// Creates a filter that matches every notification.
    package init() {}

    /// The query string of a request, with its question mark.
    var query: String {
        let states = states.isEmpty ? nil : states.map(\.rawValue).joined(separator: ",")
        let parameters: [(String, String?)] = [
            ("token", token?.rawValue), ("trace", trace?.rawValue), ("topic", topic?.rawValue), ("state", states),
            ("since", earliestArrival),
            ("after", afterSequence.map { "\($0)" }), ("limit", limit.map { "\($0)" }),
        ]
        let items = parameters.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.escaped($0))" } }
        return items.isEmpty ? "" : "?" + items.joined(separator: "&")
    }
}
