package import WaypostSchema

/// The statements of a transaction with which devices are registered and changed.
package protocol RegistrationStatements {
    /// Returns a namespace's number; `nil` if the namespace is empty.
    mutating func namespaceID(of namespace: Namespace) throws -> Int?

    /// Returns a namespace's number, and creates it if the namespace is empty.
    mutating func findOrCreateNamespaceID(of namespace: Namespace) throws -> Int

    /// Returns the number of the agent whose secret has the digest `digest`.
    func agentNumber(withDigest digest: SecretDigest, in namespace: Int) throws -> Int?

    /// Creates an agent and returns its number.
    mutating func createAgent(withDigest digest: SecretDigest, in namespace: Int) throws -> Int

    /// Replaces the digest of an agent's secret.
    mutating func setDigest(_ digest: SecretDigest, ofAgent number: Int, in namespace: Int) throws

    /// Returns the device with `token`, regardless of its standing.
    mutating func device(_ token: DeviceToken, in namespace: Int) throws -> DeviceRecord?

    /// Returns the number for a new device, greater than those of earlier ones in its namespace.
    func nextDeviceNumber(in namespace: Int) throws -> Int

    /// Writes a device, which may be new or have a new token; its topics replace `previous`.
    mutating func write(
        _ device: DeviceRecord,
        as token: DeviceToken,
        replacing previous: Set<Topic>,
        in namespace: Int
    ) throws

    /// Removes the stored notifications of a device, or of one of its topics, from the inbox.
    mutating func removeNotifications(
        of device: DeviceRecord,
        for topic: Topic?,
        as state: DeliveryState,
        agent: AgentID,
        in namespace: Int,
        at now: Timestamp
    ) throws -> StoreChanges

    /// Deletes the subscriptions of a device.
    func deleteSubscriptions(of device: Int, in namespace: Int) throws
}

/// The rules of registrations, which are the same for all engines.
extension RegistrationStatements {
    /// Registers a device.
    package mutating func register(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) throws -> RegistrationOutcome {
        let existingNamespaceID = try self.namespaceID(of: namespace)
        let agent = try existingNamespaceID.flatMap { try agentNumber(withDigest: device.digest, in: $0) }
        guard agent != nil || !device.joins else { return .unknownSecret }
        let existingDevice = try existingNamespaceID.flatMap { try self.device(device.token, in: $0) }
        // A device that joins an agent takes no token of another one: the agent may look for lost tokens of its own.
        if let existingDevice, existingDevice.agent != agent, existingDevice.standing == .active || device.joins {
            return .tokenTaken
        }
        let namespaceID = try findOrCreateNamespaceID(of: namespace)
        let owner = try agent ?? createAgent(withDigest: device.digest, in: namespaceID)
        // An agent repeats its registration whenever something changes, which says nothing about the token.
        let inactiveDevice = existingDevice.flatMap { $0.agent == owner && $0.standing != .active ? $0 : nil }
        let registered = DeviceRecord(
            number: try existingDevice?.number ?? nextDeviceNumber(in: namespaceID),
            agent: owner,
            name: device.name,
            topics: device.topics,
            standing: inactiveDevice?.standing ?? .active,
            standingChangedAt: inactiveDevice?.standingChangedAt ?? now,
            isLowPowerModeEnabled: existingDevice?.agent == owner && existingDevice?.isLowPowerModeEnabled == true,
            environments: device.environments,
            purpose: device.purpose
        )
        let id = AgentID(namespace: namespace, number: owner)
        var changes = StoreChanges()
        if let existingDevice, existingDevice.agent != owner {
            // A token that was unregistered only from a later time on has kept notifications.
            changes = try removeNotifications(
                of: existingDevice,
                for: nil,
                as: .unregistered,
                agent: AgentID(namespace: namespace, number: existingDevice.agent),
                in: namespaceID,
                at: now
            )
        }
        changes.append(
            try write(
                registered,
                as: device.token,
                replacing: existingDevice?.topics ?? [],
                of: id,
                in: namespaceID,
                at: now
            )
        )
        return .registered(id, changes)
    }

    /// Replaces the secret of an agent.
    ///
    /// A repeated request, whose answer was lost, finds only the new secret, and changes nothing.
    package mutating func rotateSecret(
        from old: SecretDigest,
        to new: SecretDigest,
        in namespace: Namespace
    ) throws -> SecretRotationOutcome {
        guard let namespaceID = try namespaceID(of: namespace) else { return .unknownSecret }
        let owner = try agentNumber(withDigest: new, in: namespaceID)
        guard let agent = try agentNumber(withDigest: old, in: namespaceID) else {
            return owner == nil ? .unknownSecret : .rotated
        }
        guard owner == nil || owner == agent else { return .secretTaken }
        if owner == nil { try setDigest(new, ofAgent: agent, in: namespaceID) }
        return .rotated
    }

    /// Changes a device; returns `nil` if it does not exist.
    package mutating func updateDevice(
        _ token: DeviceToken,
        in namespace: Namespace,
        with change: DeviceChange,
        at now: Timestamp
    ) throws -> DeviceChangeOutcome? {
        guard let namespaceID = try namespaceID(of: namespace), var device = try device(token, in: namespaceID) else {
            return nil
        }
        let agent = AgentID(namespace: namespace, number: device.agent)
        var changes = StoreChanges()
        switch change {
        case .topics(let topics):
            let previous = device.topics
            device.topics = topics
            changes = try write(device, as: token, replacing: previous, of: agent, in: namespaceID, at: now)
        case .power(let isLowPowerModeEnabled):
            device.isLowPowerModeEnabled = isLowPowerModeEnabled
            try write(device, as: token, replacing: device.topics, in: namespaceID)
            changes.rewinds = [agent]
        case .standing(let standing, let since):
            device.standing = standing
            device.standingChangedAt = since
            try write(device, as: token, replacing: device.topics, in: namespaceID)
            if standing != .active { try deleteSubscriptions(of: device.number, in: namespaceID) }
            if standing != .active, !standing.isUnregistered(after: now, since: since) {
                changes = try removeNotifications(
                    of: device,
                    for: nil,
                    as: .unregistered,
                    agent: agent,
                    in: namespaceID,
                    at: now
                )
            }
        case .inboxPurge(let topic):
            changes = try removeNotifications(
                of: device,
                for: topic,
                as: .dropped,
                agent: agent,
                in: namespaceID,
                at: now
            )
        case .rotation(let newToken):
            guard try self.device(newToken, in: namespaceID) == nil else { return .tokenTaken }
            try rotate(device, from: token, to: newToken, in: namespaceID, at: now)
            changes.rewinds = [agent]
            return .changed(device.registeredDevice(with: newToken), agent, changes)
        }
        return .changed(device.registeredDevice(with: token), agent, changes)
    }

    /// Writes a device with new topics; stored notifications for topics that it no longer has end as unregistered.
    private mutating func write(
        _ device: DeviceRecord,
        as token: DeviceToken,
        replacing previous: Set<Topic>,
        of agent: AgentID,
        in namespace: Int,
        at now: Timestamp
    ) throws -> StoreChanges {
        try write(device, as: token, replacing: previous, in: namespace)
        var changes = StoreChanges()
        for topic in previous.subtracting(device.topics) {
            changes.append(
                try removeNotifications(
                    of: device,
                    for: topic,
                    as: .unregistered,
                    agent: agent,
                    in: namespace,
                    at: now
                )
            )
        }
        changes.removals.sort { $0.sequence < $1.sequence }
        return changes
    }

    /// Gives a device a new token.
    ///
    /// The device keeps its number under the new token, so that its inbox need not move. The old token gets a new
    /// number.
    private mutating func rotate(
        _ device: DeviceRecord,
        from token: DeviceToken,
        to newToken: DeviceToken,
        in namespace: Int,
        at now: Timestamp
    ) throws {
        try write(device, as: newToken, replacing: device.topics, in: namespace)
        var previous = device
        previous.number = try nextDeviceNumber(in: namespace)
        previous.standing = .unregistered
        previous.standingChangedAt = now
        try write(previous, as: token, replacing: [], in: namespace)
    }
}
