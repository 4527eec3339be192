import Delivery
import WaypostSchema

/// Devices and their agents.
extension NamespaceRecords {
    func device(_ token: DeviceToken) -> RegisteredDevice? {
        devices[token].map { device in
            RegisteredDevice(
                token: token,
                name: device.name,
                topics: device.topics.sorted { $0.rawValue < $1.rawValue },
                standing: device.standing,
                since: device.since,
                powerConstrained: device.isPowerConstrained
            )
        }
    }

    func agent(with digest: SecretDigest) -> AgentID? {
        agents[digest].map(id)
    }

    /// Returns why a device cannot be registered; `nil` where it can.
    func refusal(of device: NewDevice) -> RegistrationOutcome? {
        let agent = agents[device.digest]
        if device.joins && agent == nil { return .unknownSecret }
        guard let owner = devices[device.token], owner.standing == .active, owner.agent != agent else { return nil }
        return .tokenTaken
    }

    /// Registers a device that nothing speaks against.
    mutating func register(
        _ device: NewDevice,
        at now: Timestamp,
        _ numbers: inout GatewayRecords.Numbers
    ) -> RegistrationOutcome {
        let agent = agents[device.digest] ?? addAgent(device.digest, &numbers)
        let known = devices[device.token]
        let number = known?.number ?? nextDeviceNumber
        var registered = Device(
            number: number,
            agent: agent,
            name: device.name,
            topics: device.topics,
            since: now
        )
        if let known, known.agent == agent { registered.isPowerConstrained = known.isPowerConstrained }
        set(registered, as: device.token)
        return .registered(id(agent), unregister(device.token, at: now) { !device.topics.contains($0) })
    }

    /// A number that no device has.
    private var nextDeviceNumber: Int {
        tokens.count + 1
    }

    private mutating func set(_ device: Device, as token: DeviceToken) {
        devices[token] = device
        tokens[device.number] = token
    }

    private mutating func addAgent(_ digest: SecretDigest, _ numbers: inout GatewayRecords.Numbers) -> Int {
        let agent = numbers.nextAgent()
        agents[digest] = agent
        inboxes[agent] = Inbox()
        return agent
    }

    /// Changes what is known of a device; `nil` where no device has the token.
    mutating func change(_ token: DeviceToken, _ change: DeviceChange, at now: Timestamp) -> DeviceChangeOutcome? {
        guard devices[token] != nil else { return nil }
        switch change {
        case .topics(let topics):
            devices[token]?.topics = topics
            return changed(token, unregister(token, at: now) { !topics.contains($0) })
        case .power(let isConstrained):
            devices[token]?.isPowerConstrained = isConstrained
            return changed(token, isConstrained ? StoreChanges() : whatWaited(for: token))
        case .standing(let standing, let since):
            devices[token]?.standing = standing
            devices[token]?.since = since
            if standing != .active, let number = devices[token]?.number { subscriptions[number] = nil }
            return changed(token, unregister(token, at: now) { _ in standing != .active })
        case .rotation(let newToken):
            guard devices[newToken] == nil else { return .tokenTaken }
            rotate(token, to: newToken, at: now)
            return changed(newToken, StoreChanges())
        }
    }

    private func changed(_ token: DeviceToken, _ changes: StoreChanges) -> DeviceChangeOutcome? {
        guard let agent = devices[token]?.agent, let device = device(token) else { return nil }
        return .changed(device, id(agent), changes)
    }

    private func whatWaited(for token: DeviceToken) -> StoreChanges {
        var changes = StoreChanges()
        changes.agents = Set(devices[token].map { [id($0.agent)] } ?? [])
        return changes
    }

    private mutating func rotate(_ token: DeviceToken, to newToken: DeviceToken, at now: Timestamp) {
        guard let device = devices[token] else { return }
        set(device, as: newToken)
        var former = device
        former.number = nextDeviceNumber
        former.standing = .unregistered
        former.since = now
        set(former, as: token)
        inboxes[device.agent]?.move(from: token, to: newToken)
    }

    /// Takes what is stored for a device's topics out of the inbox where `isLost` holds.
    private mutating func unregister(
        _ token: DeviceToken,
        at now: Timestamp,
        where isLost: (Topic) -> Bool
    ) -> StoreChanges {
        guard let agent = devices[token]?.agent else { return StoreChanges() }
        let lost = inboxes[agent]?.removeAll { $0.token == token && isLost($0.topic) } ?? []
        return leave(agent, lost, by: .unregister, at: now)
    }
}
