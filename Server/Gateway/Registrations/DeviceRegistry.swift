internal import Delivery
internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

extension Mailroom {
    /// Registers a device.
    ///
    /// - Throws: `GatewayError.unknownSecret` where the device wants to join an agent that is not there, and `tokenTaken`.
    func register(
        _ registration: DeviceRegistration,
        in namespace: Namespace
    ) async throws(GatewayError) -> DeviceCredential {
        let credential = DeviceCredential(
            token: try registration.token.map(DeviceToken.init(checking:)) ?? makeToken(),
            secret: registration.secret ?? AgentSecret(rawValue: sources.randomHexadecimal(bytes: 32))
        )
        let device = NewDevice(
            token: credential.token,
            name: registration.name,
            topics: Set(registration.topics),
            digest: SecretDigest(of: credential.secret),
            joins: registration.secret != nil
        )
        let now = try await now(in: namespace)
        noteActive(namespace)
        switch try await ask({ () async throws(StoreError) in
            try await store.register(device, in: namespace, at: now)
        }) {
        case .registered(_, let changes): announce(changes, in: namespace)
        case .unknownSecret: throw .unknownSecret
        case .tokenTaken: throw .tokenTaken(credential.token)
        }
        return credential
    }

    /// Returns a device.
    func device(_ token: DeviceToken, in namespace: Namespace) async throws(GatewayError) -> RegisteredDevice {
        let device = try await ask { () async throws(StoreError) in try await store.device(token, in: namespace) }
        guard let device else { throw .unknownDevice(token) }
        return device
    }

    /// Changes what is known of a device, and returns what it is then.
    func change(
        _ token: DeviceToken,
        in namespace: Namespace,
        _ change: DeviceChange
    ) async throws(GatewayError) -> RegisteredDevice {
        let now = try await now(in: namespace)
        let outcome = try await ask { () async throws(StoreError) in
            try await store.change(token, in: namespace, change, at: now)
        }
        switch outcome {
        case nil: throw .unknownDevice(token)
        case .tokenTaken:
            if case .rotation(let next) = change { throw .tokenTaken(next) }
            throw .internalError
        case .changed(let device, let agent, let changes):
            if change.concernsWhatWaits { sessions.withLock { $0.rewind(agent) } }
            announce(changes, in: namespace)
            await followUp(FollowUp(ends: endedTransient(of: token, agent, change, at: now)))
            return device
        }
    }

    /// What of what is now or never does not reach a device any more after a change.
    private func endedTransient(
        of token: DeviceToken,
        _ agent: AgentID,
        _ change: DeviceChange,
        at now: Timestamp
    ) -> [TransientEnd] {
        let isEnding: (NewNotification) -> Bool =
            switch change {
            case .topics(let topics): { $0.token == token && !topics.contains($0.topic) }
            case .standing(let standing, _): { $0.token == token && standing != .active }
            case .rotation: { $0.token == token }
            case .power: { _ in false }
            }
        return sessions.withLock { $0.endTransient(of: agent, at: now, where: isEnding) }
    }

    /// Gives a device another token: `token`, or one that is made.
    func rotate(
        _ old: DeviceToken,
        to token: DeviceToken?,
        in namespace: Namespace
    ) async throws(GatewayError) -> RegisteredDevice {
        try await change(old, in: namespace, .rotation(to: token.map(DeviceToken.init(checking:)) ?? makeToken()))
    }

    /// Chooses how an app's notifications are kept.
    func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace
    ) async throws(GatewayError) -> AppSettings {
        guard StoragePolicy.canChoose(mode, for: topic) else { throw .alwaysLossless(topic) }
        let now = try await now(in: namespace)
        noteActive(namespace)
        let changes = try await ask { () async throws(StoreError) in
            try await store.setStorage(mode, for: topic, in: namespace, at: now)
        }
        announce(changes, in: namespace)
        return AppSettings(topic: topic, storage: mode)
    }

    /// Returns the apps for which something was chosen.
    func apps(in namespace: Namespace) async throws(GatewayError) -> [AppSettings] {
        try await ask { () async throws(StoreError) in try await store.apps(in: namespace) }
    }

    /// Returns the agent that a secret belongs to.
    func agent(with secret: AgentSecret) async throws(GatewayError) -> AgentID {
        let digest = SecretDigest(of: secret)
        let agent = try await ask { () async throws(StoreError) in try await store.agent(with: digest) }
        guard let agent else { throw .unauthorized }
        return agent
    }

    private func makeToken() -> DeviceToken {
        DeviceToken(rawValue: sources.randomHexadecimal(bytes: 32))
    }
}

extension DeviceChange {
    /// Whether what waits for the device's stream is to be looked at anew: something of it waits no more, or waits from now
    /// on, or goes to another token.
    fileprivate var concernsWhatWaits: Bool {
        switch self {
        case .power, .rotation: true
        case .topics, .standing: false
        }
    }
}
