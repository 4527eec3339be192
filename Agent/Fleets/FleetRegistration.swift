internal import DeviceModel
package import GatewayClient
internal import NIOCore
internal import NIOPosix
package import WaypostSchema

/// A credential of a fleet, with the tokens of its devices.
package struct FleetCredential: Sendable, Equatable {
    /// The secret of the stream and of the acknowledgements.
    package var secret: BearerSecret

    /// The tokens of the devices.
    package var tokens: [DeviceToken]

    /// Creates the credential from its parts.
    package init(secret: BearerSecret, tokens: [DeviceToken]) {
        (self.secret, self.tokens) = (secret, tokens)
    }
}

/// The registration of a fleet's devices at a gateway.
package struct FleetRegistration: Sendable {
    private static let maximumConcurrentRequests = 64

    private let client: GatewayClient

    /// Creates the registration with a client of the gateway.
    package init(_ client: GatewayClient) {
        self.client = client
    }

    /// Returns the name of a device.
    static func name(ofDevice number: Int, _ description: DeviceDescription) -> String {
        "\(description.name) \(number + 1)"
    }

    /// Registers the devices of a fleet.
    ///
    /// - Parameter settings: the settings of the fleet.
    /// - Returns: the credentials in the order of the devices.
    /// - Throws: `CallError` and `DescriptionError`.
    package func register(_ settings: FleetSettings) async throws -> [FleetCredential] {
        let description = settings.behavior.device
        let topics = try DeviceModel(description).topics + settings.topics
        let starts = Array(stride(from: 0, to: settings.devices, by: settings.devicesPerCredential))
        return try await mapConcurrently(starts) { first in
            var credential: FleetCredential?
            for number in first..<min(first + settings.devicesPerCredential, settings.devices) {
                let registration = DeviceRegistration(
                    name: Self.name(ofDevice: number, description),
                    topics: topics,
                    secret: credential?.secret
                )
                let deviceCredential = try await client.register(registration)
                credential = FleetCredential(
                    secret: deviceCredential.secret,
                    tokens: (credential?.tokens ?? []) + [deviceCredential.token]
                )
            }
            return credential
        }
    }

    /// Unregisters the devices of a fleet.
    ///
    /// - Throws: `CallError`.
    package func unregister(_ tokens: [DeviceToken]) async throws {
        _ = try await mapConcurrently(tokens) { token in
            try await client.unregister(token)
            return ()
        }
    }

    /// Unregisters the devices of a fleet that has ended, also if the current task is canceled.
    ///
    /// If that fails, the devices stay registered: what the fleet did is more important.
    package func unregisterDespiteCancellation(_ tokens: [DeviceToken]) async {
        // The task of a future is not a child of the current one.
        let future = MultiThreadedEventLoopGroup.singleton.any().makeFutureWithTask { try await unregister(tokens) }
        try? await future.get()
    }

    /// Subscribes devices to a broadcast channel.
    ///
    /// - Throws: `CallError`.
    package func subscribe(_ tokens: [DeviceToken], to channel: ChannelID) async throws {
        _ = try await mapConcurrently(tokens) { token in
            try await client.setChannels([channel], of: token)
            return ()
        }
    }

    /// Returns the results for all elements in their order; works on several elements at a time.
    private func mapConcurrently<Element: Sendable, Value: Sendable>(
        _ elements: [Element],
        _ work: @escaping @Sendable (Element) async throws -> Value?
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value?).self) { group in
            var values = [Value?](repeating: nil, count: elements.count)
            for (index, element) in elements.enumerated() {
                if index >= Self.maximumConcurrentRequests, let (completedIndex, value) = try await group.next() {
                    values[completedIndex] = value
                }
                group.addTask { (index, try await work(element)) }
            }
            for try await (completedIndex, value) in group { values[completedIndex] = value }
            return values.compactMap(\.self)
        }
    }
}
