internal import WaypostSchema

extension StoreTransaction {
    /// Registers a device.
    mutating func register(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) throws -> RegistrationOutcome {
        let place = try number(of: namespace)
        let agent = try place.flatMap { try self.agent(with: device.digest, in: $0) }
        guard agent != nil || !device.joins else { return .unknownSecret }
        let known = try place.flatMap { try self.device(device.token, in: $0) }
        if let known, known.standing == .active, known.agent != agent { return .tokenTaken }
        let namespaceID = try makeNumber(of: namespace)
        let owner = try agent ?? makeAgent(with: device.digest, in: namespaceID)
        let registered = KnownDevice(
            number: try known?.number ?? nextDeviceNumber(in: namespaceID),
            agent: owner,
            name: device.name,
            topics: device.topics,
            standing: .active,
            since: now,
            isLowPowerModeEnabled: known?.agent == owner && known?.isLowPowerModeEnabled == true
        )
        let id = AgentID(namespace: namespace, number: owner)
        let changes = try write(
            registered,
            as: device.token,
            insteadOf: known?.topics ?? [],
            of: id,
            in: namespaceID,
            at: now
        )
        return .registered(id, changes)
    }

    /// Changes a device; returns `nil` if it does not exist.
    mutating func change(
        _ token: DeviceToken,
        in namespace: Namespace,
        _ change: DeviceChange,
        at now: Timestamp
    ) throws -> DeviceChangeOutcome? {
        guard let namespaceID = try number(of: namespace), var device = try device(token, in: namespaceID) else {
            return nil
        }
        let agent = AgentID(namespace: namespace, number: device.agent)
        var changes = StoreChanges()
        switch change {
        case .topics(let topics):
            let former = device.topics
            device.topics = topics
            changes = try write(device, as: token, insteadOf: former, of: agent, in: namespaceID, at: now)
        case .power(let isLowPowerModeEnabled):
            device.isLowPowerModeEnabled = isLowPowerModeEnabled
            try write(device, as: token, in: namespaceID)
            changes.rewinds = [agent]
        case .standing(let standing, let since):
            device.standing = standing
            device.since = since
            try write(device, as: token, in: namespaceID)
            if standing != .active {
                try endSubscriptions(of: device.number, in: namespaceID)
                changes = try unregister(device, of: agent, in: namespaceID, at: now)
            }
        case .rotation(let newToken):
            guard try self.device(newToken, in: namespaceID) == nil else { return .tokenTaken }
            try rotate(device, from: token, to: newToken, in: namespaceID, at: now)
            changes.rewinds = [agent]
            return .changed(device.registered(as: newToken), agent, changes)
        }
        return .changed(device.registered(as: token), agent, changes)
    }

    /// Writes a device with new topics; stored notifications for topics that it no longer has end as unregistered.
    private mutating func write(
        _ device: KnownDevice,
        as token: DeviceToken,
        insteadOf former: Set<Topic>,
        of agent: AgentID,
        in namespace: Int,
        at now: Timestamp
    ) throws -> StoreChanges {
        try write(device, as: token, in: namespace)
        try writeTopics(of: device, insteadOf: former, in: namespace)
        var changes = StoreChanges()
        for topic in former.subtracting(device.topics) {
            changes.append(try unregister(device, for: topic, of: agent, in: namespace, at: now))
        }
        changes.removals.sort { $0.sequence < $1.sequence }
        return changes
    }

    /// Gives a device a new token.
    ///
    /// The device keeps its number under the new token, so that its inbox need not move. The old token gets a new
    /// number.
    private mutating func rotate(
        _ device: KnownDevice,
        from token: DeviceToken,
        to newToken: DeviceToken,
        in namespace: Int,
        at now: Timestamp
    ) throws {
        try write(device, as: newToken, in: namespace)
        var former = device
        former.number = try nextDeviceNumber(in: namespace)
        former.standing = .unregistered
        former.since = now
        try write(former, as: token, in: namespace)
        try writeTopics(of: former, insteadOf: [], in: namespace)
    }
}
