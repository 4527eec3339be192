internal import GatewayStore
internal import PushRules
internal import Synchronization
internal import WaypostSchema

/// The devices and their tokens, and the storage modes of their apps.
struct DeviceRegistry: Sendable {
    let delivery: DeliveryService
    let sources: GatewaySources

    private var store: StoreAccess {
        delivery.store
    }

    /// Registers a device.
    ///
    /// - Throws: `GatewayError.malformedBody` if the purpose of the token does not fit its topics, or has an unusable
    ///   name, `unknownSecret` if the agent that the device wants to join does not exist, and `tokenTaken`.
    func register(
        _ registration: DeviceRegistration,
        in namespace: Namespace
    ) async throws(GatewayError) -> DeviceCredential {
        if let purpose = registration.purpose {
            if let problem = purpose.nameProblem { throw .malformedBody("'purpose.name': \(problem)") }
            if let problem = purpose.problem(with: registration.topics) { throw .malformedBody(problem) }
        }
        let secret = registration.secret ?? BearerSecret(rawValue: sources.randomHexadecimal(bytes: 32))
        let credential = DeviceCredential(
            token: try registration.token.map(DeviceToken.init(checking:)) ?? makeToken(inRangeOf: secret.rawValue),
            secret: secret
        )
        let device = NewDevice(
            token: credential.token,
            name: registration.name,
            topics: Set(registration.topics),
            digest: SecretDigest(of: credential.secret),
            joins: registration.secret != nil,
            environments: DeviceEnvironments(
                device: registration.environment,
                apps: registration.appEnvironments ?? [:]
            ),
            purpose: registration.purpose
        )
        delivery.recordActive(namespace)
        let outcome = try await store.call(creating: namespace) {
            try await $0.register(device, in: namespace, at: $1)
        }
        switch outcome {
        case .registered(_, let changes): delivery.announce(changes, in: namespace)
        case .unknownSecret: throw .unknownSecret
        case .tokenTaken: throw .tokenTaken(credential.token)
        }
        return credential
    }

    /// Returns a device.
    ///
    /// - Throws: `GatewayError.unknownDevice` if there is no device with the token.
    func device(_ token: DeviceToken, in namespace: Namespace) async throws(GatewayError) -> RegisteredDevice {
        guard let device = try await store.call({ try await $0.device(token, in: namespace) }) else {
            throw .unknownDevice(token)
        }
        return device
    }

    /// Returns the first `limit` devices that match a filter and whose tokens are after `token`, or the first ones of
    /// all.
    func page(
        matching filter: DeviceFilter,
        after token: DeviceToken?,
        limit: Int,
        in namespace: Namespace
    ) async throws(GatewayError) -> DevicePage {
        let after = token ?? DeviceToken(rawValue: "")
        // One more shows whether there is a next page.
        let candidates = try await store.call {
            try await $0.devices(in: namespace, matching: filter, after: after, limit: limit + 1)
        }
        let devices = Array(candidates.prefix(limit))
        return DevicePage(devices: devices, next: candidates.count > limit ? devices.last?.device.token : nil)
    }

    /// Changes a device, and returns its new state.
    func update(
        _ token: DeviceToken,
        in namespace: Namespace,
        with change: DeviceChange
    ) async throws(GatewayError) -> RegisteredDevice {
        try await apply(change, to: token, in: namespace).device
    }

    /// Changes a device, and returns its new state and the effects.
    func apply(
        _ change: DeviceChange,
        to token: DeviceToken,
        in namespace: Namespace
    ) async throws(GatewayError) -> (device: RegisteredDevice, changes: StoreChanges) {
        let now = try await store.now(in: namespace)
        switch try await store.call({ try await $0.updateDevice(token, in: namespace, with: change, at: now) }) {
        case nil: throw .unknownDevice(token)
        case .tokenTaken:
            if case .rotation(let next) = change { throw .tokenTaken(next) }
            throw .internalError
        case .changed(let device, let agent, let changes):
            delivery.announce(changes, in: namespace)
            if let topics = change.acceptedTopics(at: now) {
                await delivery.endTransient(of: agent, to: token, accepting: topics, at: now)
            }
            return (device, changes)
        }
    }

    /// Replaces the topics of a device.
    ///
    /// - Throws: `GatewayError.malformedBody` if they do not fit the purpose of its token, and `unknownDevice`.
    func setTopics(
        _ topics: [Topic],
        of token: DeviceToken,
        in namespace: Namespace
    ) async throws(GatewayError) -> RegisteredDevice {
        let purpose = try await device(token, in: namespace).purpose
        if let problem = purpose?.problem(with: topics) { throw .malformedBody(problem) }
        return try await update(token, in: namespace, with: .topics(Set(topics)))
    }

    /// Unregisters a device; if it is unregistered already, its time stays.
    func unregister(_ token: DeviceToken, in namespace: Namespace) async throws(GatewayError) {
        let device = try await device(token, in: namespace)
        let now = try await store.now(in: namespace)
        // The inbox of a token that was unregistered from a later time on may still have notifications.
        let since = device.standing == .unregistered ? min(device.since, now) : now
        _ = try await update(token, in: namespace, with: .standing(.unregistered, since: since))
    }

    /// Gives a device another token: `token`, or a generated one.
    func rotate(
        _ old: DeviceToken,
        to token: DeviceToken?,
        in namespace: Namespace
    ) async throws(GatewayError) -> RegisteredDevice {
        let next = try token.map(DeviceToken.init(checking:)) ?? makeToken(inRangeOf: old.rawValue)
        return try await update(old, in: namespace, with: .rotation(to: next))
    }

    /// Returns a random token that has the range of a secret or token of the same agent.
    private func makeToken(inRangeOf other: String) -> DeviceToken {
        let token = sources.randomHexadecimal(bytes: 32)
        return DeviceToken(rawValue: StoreRange(of: other)?.replacingPrefix(of: token) ?? token)
    }

    // MARK: Apps

    /// Sets the storage mode of an app's notifications.
    func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace
    ) async throws(GatewayError) -> AppSettings {
        guard StoragePolicy.canChoose(mode, for: topic) else { throw .alwaysLossless(topic) }
        delivery.recordActive(namespace)
        let changes = try await store.call(creating: namespace) {
            try await $0.setStorage(mode, for: topic, in: namespace, at: $1)
        }
        delivery.announce(changes, in: namespace)
        return AppSettings(topic: topic, storage: mode)
    }

    /// Returns the apps whose storage mode was set.
    func apps(in namespace: Namespace) async throws(GatewayError) -> [AppSettings] {
        try await store.call { try await $0.apps(in: namespace) }
    }
}
