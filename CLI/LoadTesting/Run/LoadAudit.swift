internal import GatewayClient
internal import WaypostSchema

/// A look into the gateway's delivery log: the states of notifications that did not arrive.
struct LoadAudit: Sendable {
    private let client: GatewayClient
    private let since: Timestamp

    init(_ client: GatewayClient, since: Timestamp) {
        (self.client, self.since) = (client, since)
    }

    /// Returns the notifications that have ended without an arrival, as the gateway's rules say, with their states.
    func ended() async throws(CallError) -> [LoadRecorder.Missing: DeliveryState] {
        try await states([.collapsed, .expired, .dropped])
    }

    /// Returns the notifications that the gateway still has to deliver, with their states.
    func waiting() async throws(CallError) -> [LoadRecorder.Missing: DeliveryState] {
        try await states([.stored, .sent])
    }

    private func states(_ states: [DeliveryState]) async throws(CallError) -> [LoadRecorder.Missing: DeliveryState] {
        var found: [LoadRecorder.Missing: DeliveryState] = [:]
        var filter = NotificationFilter()
        filter.states = states
        filter.since = "\(since.rawValue)"
        filter.limit = 1_000
        while true {
            let page = try await client.notifications(filter)
            for record in page.notifications {
                guard let id = record.id, let device = record.token else { continue }
                found[LoadRecorder.Missing(id: id, device: device)] = record.state
            }
            guard let next = page.next else { return found }
            filter.after = next
        }
    }
}
