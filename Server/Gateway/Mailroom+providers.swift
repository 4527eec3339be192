internal import GatewayStore
internal import WaypostSchema

extension Mailroom {
    /// Returns an identifier for a batch.
    func makeBatchID() -> BatchID {
        BatchID(rawValue: sources.makeUUID())
    }

    /// Returns the namespaces that tokens belong to; those that no device has are absent.
    func homes(of tokens: Set<DeviceToken>) async throws(GatewayFault) -> [DeviceToken: Namespace] {
        try await ask { () async throws(StoreFault) in try await store.homes(of: tokens) }
    }

    /// Returns the name that a notification gets besides its own (`apns-unique-id`): its place in the log, so that it can be found
    /// by it, or any, where there is no log.
    func uniqueID(of appended: Appended, at index: Int) -> String {
        appended.logged.map { UniqueID(sequence: $0.lowerBound + index).description } ?? sources.makeUUID()
    }

    /// Whether the registry has nothing against a notification; not where the store cannot say.
    func isWelcome(_ notification: NewNotification, in namespace: Namespace) async -> Bool {
        guard let device = try? await device(notification.token, in: namespace) else { return false }
        return device.standing == .active && device.topics.contains(notification.topic)
    }
}
