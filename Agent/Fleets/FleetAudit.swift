package import GatewayClient
package import WaypostSchema

/// A comparison of a fleet with the gateway's delivery log: finds what was lost.
package struct FleetAudit: Sendable {
    private static let interval = Duration.milliseconds(200)

    private let fleet: Fleet
    private let client: GatewayClient
    private let start: Timestamp

    /// Creates the comparison.
    ///
    /// - Parameters:
    ///   - fleet: the fleet.
    ///   - client: a client of its gateway, in its namespace.
    ///   - start: the time of the first notification, on the clock of the namespace.
    package init(_ fleet: Fleet, _ client: GatewayClient, since start: Timestamp) {
        (self.fleet, self.client, self.start) = (fleet, client, start)
    }

    /// Waits until no inbox of the fleet has notifications, or until a time limit.
    ///
    /// - Throws: `CallError`, and `CancellationError`.
    package func waitForEmptyInboxes(within limit: Duration) async throws {
        let tokens = Set(fleet.tokens)
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            let hasWaitingNotification = try await forEachRecord(in: [.stored, .sent]) { record in
                record.token.map(tokens.contains) ?? false
            }
            guard hasWaitingNotification else { return }
            try await Task.sleep(for: Self.interval)
        }
    }

    /// Returns the notifications that the gateway accepted for the fleet, and that never arrived.
    ///
    /// Those that expired, were replaced or could not be delivered are not lost: their final state says so.
    ///
    /// - Parameter arrivedCount: the number of notifications that have arrived.
    /// - Returns: the lost ones, or `nil` if the gateway keeps no log to compare with.
    /// - Throws: `CallError`.
    package func lostNotifications(arrivedCount: Int) async throws -> [NotificationID]? {
        let tokens = Set(fleet.tokens)
        var expected: [DeviceToken: [NotificationID]] = [:]
        _ = try await forEachRecord(in: [.stored, .sent, .acknowledged]) { record in
            if let id = record.id, let token = record.token, tokens.contains(token) {
                expected[token, default: []].append(id)
            }
            return false
        }
        guard arrivedCount == 0 || !expected.isEmpty else { return nil }
        return try await fleet.missingNotifications(among: expected)
    }

    /// Calls `body` with the records in some states until it returns true, and returns whether it did.
    private func forEachRecord(
        in states: [DeliveryState],
        until body: (NotificationRecord) -> Bool
    ) async throws -> Bool {
        var filter = NotificationFilter()
        filter.states = states
        filter.earliestArrival = "\(start.rawValue)"
        filter.limit = 1_000
        while true {
            let page = try await client.notifications(filter)
            for record in page.notifications where body(record) { return true }
            guard let next = page.next else { return false }
            filter.afterSequence = next
        }
    }
}
