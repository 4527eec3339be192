internal import GatewayClient
internal import WaypostSchema

/// A query of the gateway's delivery log: the states of notifications that did not arrive.
struct LoadAudit: Sendable {
    private let client: GatewayClient
    private let start: Timestamp

    init(_ client: GatewayClient, since start: Timestamp) {
        (self.client, self.start) = (client, start)
    }

    /// Returns the notifications that the gateway collapsed, let expire or dropped, with their states.
    func endedItems() async throws(CallError) -> [LoadRecorder.MissingItem: DeliveryState] {
        try await items(in: [.collapsed, .expired, .dropped])
    }

    /// Returns the notifications that the gateway still has to deliver, with their states.
    func waitingItems() async throws(CallError) -> [LoadRecorder.MissingItem: DeliveryState] {
        try await items(in: [.stored, .sent])
    }

    private func items(
        in states: [DeliveryState]
    ) async throws(CallError) -> [LoadRecorder.MissingItem: DeliveryState] {
        var items: [LoadRecorder.MissingItem: DeliveryState] = [:]
        var filter = NotificationFilter()
        filter.states = states
        filter.earliestArrival = "\(start.rawValue)"
        filter.limit = 1_000
        while true {
            let page = try await client.notifications(filter)
            for record in page.notifications {
                guard let id = record.id, let device = record.token else { continue }
                items[LoadRecorder.MissingItem(id: id, device: device)] = record.state
            }
            guard let next = page.next else { return items }
            filter.afterSequence = next
        }
    }
}
