internal import GatewayClient
internal import WaypostSchema

/// A look into the gateway's delivery log: which notifications ended without an arrival, as the gateway's rules say.
struct LoadAudit: Sendable {
    /// The states in which a notification ends that need not arrive.
    private static let states: [DeliveryState] = [.collapsed, .expired, .dropped]

    private let client: GatewayClient
    private let since: Timestamp

    init(_ client: GatewayClient, since: Timestamp) {
        (self.client, self.since) = (client, since)
    }

    /// Returns the notifications that have ended without an arrival, with their states.
    func ended() async throws(CallError) -> [LoadRecorder.Missing: DeliveryState] {
        var ended: [LoadRecorder.Missing: DeliveryState] = [:]
        var filter = NotificationFilter()
        filter.states = Self.states
        filter.since = "\(since.rawValue)"
        filter.limit = 1_000
        while true {
            let page = try await client.notifications(filter)
            for record in page.notifications {
                guard let id = record.id, let device = record.token else { continue }
                ended[LoadRecorder.Missing(id: id, device: device)] = record.state
            }
            guard let next = page.next else { return ended }
            filter.after = next
        }
    }
}
