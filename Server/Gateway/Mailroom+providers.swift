internal import GatewayStore
internal import WaypostSchema

extension Mailroom {
    /// Returns an identifier for a batch.
    func makeBatchID() -> BatchID {
        BatchID(rawValue: sources.makeUUID())
    }

    /// Returns the namespaces that tokens belong to; those that no device has are absent.
    func homes(of tokens: Set<DeviceToken>) async throws(GatewayError) -> [DeviceToken: Namespace] {
        try await ask { () async throws(StoreError) in try await store.homes(of: tokens) }
    }

    /// Returns the name that a notification gets besides its own (`apns-unique-id`): its place in the log, so that it can be found
    /// by it, or any, where there is no log.
    func uniqueID(of appended: Appended, at index: Int) -> String {
        appended.logged.map { UniqueID(sequence: $0.lowerBound + index).description } ?? sources.makeUUID()
    }

    /// Returns the topics of the active devices that notifications are for; those that the store cannot tell are absent.
    func devices(
        welcoming notifications: [NewNotification],
        in namespace: Namespace
    ) async -> [DeviceToken: [Topic]] {
        var topics: [DeviceToken: [Topic]] = [:]
        for token in Set(notifications.map(\.token)) {
            guard let device = try? await device(token, in: namespace), device.standing == .active else { continue }
            topics[token] = device.topics
        }
        return topics
    }
}
