import GatewayStore
import WaypostSchema

/// Predictions for registrations and changes of devices.
extension StoreOracle {
    /// Returns the outcome of a refused registration, or `nil` if it is not refused.
    func refusal(of device: NewDevice, in namespace: Namespace) -> RegistrationOutcome? {
        let agent = agents[Place(namespace, device.digest)]
        let owner = devices[Place(namespace, device.token)]
        if device.joins && agent == nil { return .unknownSecret }
        if let owner, owner.agent != agent, owner.standing == .active || device.joins { return .tokenTaken }
        return nil
    }

    mutating func register(
        _ device: NewDevice,
        in namespace: Namespace,
        as agent: AgentID,
        at now: Timestamp
    ) -> Expectation {
        let place = Place(namespace, device.token)
        let previous = devices[place].flatMap { $0.agent == agent ? $0 : nil }
        let isTakenOver = devices[place] != nil && previous == nil
        namespaces.insert(namespace)
        agents[Place(namespace, device.digest)] = agent
        devices[place] = Device(
            agent: agent,
            name: device.name,
            topics: device.topics,
            since: now,
            isLowPowerModeEnabled: previous?.isLowPowerModeEnabled == true,
            environments: device.environments,
            purpose: device.purpose
        )
        if let previous, previous.standing != .active {
            devices[place]?.standing = previous.standing
            devices[place]?.since = previous.since
        }
        return unregister(place) { isTakenOver || !device.topics.contains($0) }
    }

    mutating func setTopics(_ topics: Set<Topic>, of place: Place<DeviceToken>) -> Expectation {
        devices[place]?.topics = topics
        return unregister(place) { !topics.contains($0) }
    }

    mutating func setPower(isLowPowerModeEnabled: Bool, of place: Place<DeviceToken>) -> Expectation {
        devices[place]?.isLowPowerModeEnabled = isLowPowerModeEnabled
        guard let agent = devices[place]?.agent else { return Expectation() }
        return Expectation(rewinds: [agent])
    }

    mutating func setStanding(
        _ standing: TokenStanding,
        since: Timestamp,
        of place: Place<DeviceToken>,
        at now: Timestamp
    ) -> Expectation {
        devices[place]?.standing = standing
        devices[place]?.since = since
        let isLate = standing == .unregistered && since > now
        return standing == .active || isLate ? Expectation() : unregister(place) { _ in true }
    }

    mutating func rotate(_ place: Place<DeviceToken>, to token: DeviceToken, at now: Timestamp) -> Expectation {
        devices[Place(place.namespace, token)] = devices[place]
        devices[place]?.standing = .unregistered
        devices[place]?.since = now
        for index in stored.indices where Self.isOf(place, stored[index]) {
            stored[index].notification.token = token
        }
        moveLines(from: place, to: token)
        return Expectation(rewinds: devices[place].map { [$0.agent] } ?? [])
    }

    mutating func rotateSecret(
        from old: SecretDigest,
        to new: SecretDigest,
        in namespace: Namespace
    ) -> SecretRotationOutcome {
        let (oldPlace, newPlace) = (Place(namespace, old), Place(namespace, new))
        let owner = agents[newPlace]
        guard let agent = agents[oldPlace] else { return owner == nil ? .unknownSecret : .rotated }
        guard owner == nil || owner == agent else { return .secretTaken }
        agents[oldPlace] = nil
        agents[newPlace] = agent
        return .rotated
    }

    mutating func purgeInbox(of place: Place<DeviceToken>, _ topic: Topic?) -> Expectation {
        settle(as: .dropped) { Self.isOf(place, $0) && (topic == nil || $0.notification.topic == topic) }
    }

    private mutating func unregister(_ place: Place<DeviceToken>, where isLost: (Topic) -> Bool) -> Expectation {
        settle(as: .unregistered) { Self.isOf(place, $0) && isLost($0.notification.topic) }
    }

    private static func isOf(_ place: Place<DeviceToken>, _ item: Item) -> Bool {
        item.agent.namespace == place.namespace && item.notification.token == place.name
    }

    mutating func reset(_ namespace: Namespace) -> Set<AgentID> {
        let gone = Set(agents.filter { $0.key.namespace == namespace }.values)
        devices = devices.filter { $0.key.namespace != namespace }
        agents = agents.filter { $0.key.namespace != namespace }
        storage = storage.filter { $0.key.namespace != namespace }
        batches = batches.filter { $0.value.namespace != namespace }
        keys = keys.filter { $0.key.namespace != namespace }
        clocks[namespace] = nil
        sessions = sessions.filter { $0.key.namespace != namespace }
        transients = transients.filter { $0.value != namespace }
        namespaces.remove(namespace)
        stored.removeAll { $0.agent.namespace == namespace }
        touchedLines.formUnion(lines.filter { $0.value.namespace == namespace }.keys)
        lines = lines.filter { $0.value.namespace != namespace }
        return gone
    }
}
