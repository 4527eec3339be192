package import GatewayStore
package import WaypostSchema

/// Registrations, keys and channels.
extension OracleStore {
    package func register(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> RegistrationOutcome {
        change(at: now) { contents in
            if let refusal = contents.oracle.refusal(of: device, in: namespace) { return refusal }
            let place = StoreOracle.Place(namespace, device.token)
            let known = contents.oracle.agents[StoreOracle.Place(namespace, device.digest)]
            if known == nil { contents.lastAgent += 1 }
            let agent = known ?? AgentID(namespace: namespace, number: contents.lastAgent)
            if contents.numbers[place] == nil { contents.number(place) }
            let expected = contents.oracle.register(device, in: namespace, as: agent, at: now)
            return .registered(agent, notify(expected.changes, in: namespace))
        }
    }

    package func updateDevice(
        _ token: DeviceToken,
        in namespace: Namespace,
        with change: DeviceChange,
        at now: Timestamp
    ) async throws(StoreError) -> DeviceChangeOutcome? {
        self.change(at: now) { contents in
            let place = StoreOracle.Place(namespace, token)
            guard let agent = contents.oracle.devices[place]?.agent else { return nil }
            var (changes, after) = (StoreChanges(), place)
            switch change {
            case .topics(let topics): changes = contents.oracle.setTopics(topics, of: place).changes
            case .power(let isLow):
                changes = contents.oracle.setPower(isLowPowerModeEnabled: isLow, of: place).changes
            case .standing(let standing, let since):
                changes = contents.oracle.setStanding(standing, since: since, of: place, at: now).changes
                if standing != .active { contents.subscriptions[place] = nil }
            case .inboxPurge(let topic): changes = contents.oracle.purgeInbox(of: place, topic).changes
            case .rotation(let next):
                after = StoreOracle.Place(namespace, next)
                guard contents.oracle.devices[after] == nil else { return .tokenTaken }
                changes = contents.oracle.rotate(place, to: next, at: now).changes
                contents.numbers[after] = contents.numbers[place]
                contents.number(place)
                contents.subscriptions[after] = contents.subscriptions.removeValue(forKey: place)
            }
            if let topics = change.acceptedTopics(at: now) { notify(.deviceChanged(agent, token, accepts: topics)) }
            guard let device = contents.oracle.registered(after) else { return nil }
            return .changed(device, agent, notify(changes, in: namespace))
        }
    }

    package func device(_ token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> RegisteredDevice? {
        change { $0.oracle.registered(StoreOracle.Place(namespace, token)) }
    }

    package func devices(
        in namespace: Namespace,
        matching filter: DeviceFilter,
        after token: DeviceToken,
        limit: Int
    ) async throws(StoreError) -> [ListedDevice] {
        change { contents in
            let rest = contents.oracle.listed(in: namespace).filter { listed in
                listed.device.token.rawValue > token.rawValue
                    && (filter.name.map { $0 == listed.device.name } ?? true)
                    && (filter.standing.map { $0 == listed.device.standing } ?? true)
            }
            return Array(rest.prefix(limit))
        }
    }

    package func devices(
        of agents: Set<AgentID>,
        in namespace: Namespace
    ) async throws(StoreError) -> [AgentID: [StreamDevice]] {
        change { $0.oracle.devices(of: agents, in: namespace) }
    }

    package func inbox(
        of token: DeviceToken,
        in namespace: Namespace,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError) -> [StoredNotification]? {
        change { contents in
            contents.oracle.inbox(of: StoreOracle.Place(namespace, token), at: now).map { items in
                items.filter { $0.sequence > cursor }.prefix(limit).map(contents.stored)
            }
        }
    }

    package func appTopics(
        ofDeviceWith token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<Topic> {
        change { $0.oracle.appTopics(ofDeviceAt: StoreOracle.Place(namespace, token)) }
    }

    package func registrations(
        of tokens: Set<DeviceToken>,
        withTopics: Bool
    ) async throws(StoreError) -> [DeviceToken: TokenRegistration] {
        change { contents in
            let places = contents.oracle.devices.filter { tokens.contains($0.key.name) }.sorted { left, right in
                let numbers = (contents.numbers[left.key] ?? 0, contents.numbers[right.key] ?? 0)
                return (left.value.standing == .active ? 1 : 0, left.value.since, numbers.0)
                    < (right.value.standing == .active ? 1 : 0, right.value.since, numbers.1)
            }
            let registrations = places.map { place, device in
                let topics = withTopics && device.standing == .active ? device.topics : []
                return (place.name, TokenRegistration(namespace: place.namespace, activeTopics: Set(topics)))
            }
            return Dictionary(registrations) { $1 }
        }
    }

    package func agent(withDigest digest: SecretDigest) async throws(StoreError) -> AgentID? {
        change { contents in
            contents.oracle.agents.filter { $0.key.name == digest }.values.min { $0.number < $1.number }
        }
    }

    package func rotateSecret(
        from old: SecretDigest,
        to new: SecretDigest,
        in namespace: Namespace
    ) async throws(StoreError) -> SecretRotationOutcome {
        change { $0.oracle.rotateSecret(from: old, to: new, in: namespace) }
    }

    package func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges {
        change(at: now) { notify($0.oracle.setStorage(mode, for: topic, in: namespace).changes, in: namespace) }
    }

    package func apps(in namespace: Namespace) async throws(StoreError) -> [AppSettings] {
        change { contents in
            contents.oracle.storage.filter { $0.key.namespace == namespace }
                .map { AppSettings(topic: $0.key.name, storage: $0.value) }
                .sorted { $0.topic.rawValue < $1.topic.rawValue }
        }
    }

    package func setKey(_ key: ProviderKey, in namespace: Namespace) async throws(StoreError) {
        change { contents in
            contents.oracle.namespaces.insert(namespace)
            contents.keys[StoreOracle.Place(namespace, key.id)] = key
        }
        notify(.keysChanged)
    }

    package func removeKey(_ id: ProviderKeyID, in namespace: Namespace) async throws(StoreError) -> Bool {
        let isRemoved = change { $0.keys.removeValue(forKey: StoreOracle.Place(namespace, id)) != nil }
        notify(.keysChanged)
        return isRemoved
    }

    package func keys() async throws(StoreError) -> [Namespace: [ProviderKey]] {
        change { contents in
            Dictionary(grouping: contents.keys, by: \.key.namespace).mapValues { keys in
                keys.map(\.value).sorted { $0.id.rawValue < $1.id.rawValue }
            }
        }
    }
}

/// Broadcast channels.
extension OracleStore {
    package func addChannel(
        _ channel: BroadcastChannel,
        in namespace: Namespace,
        limit: Int
    ) async throws(StoreError) -> Bool {
        change { contents in
            contents.oracle.namespaces.insert(namespace)
            let count = contents.channels.count {
                $0.key.namespace == namespace && $0.value.app == channel.app
                    && $0.value.environment == channel.environment
            }
            guard count < limit else { return false }
            contents.channels[StoreOracle.Place(namespace, channel.id)] = channel
            return true
        }
    }

    package func removeChannel(_ id: ChannelID, in namespace: Namespace) async throws(StoreError) -> Bool {
        change { contents in
            for place in contents.subscriptions.keys where place.namespace == namespace {
                contents.subscriptions[place]?.remove(id)
            }
            return contents.channels.removeValue(forKey: StoreOracle.Place(namespace, id)) != nil
        }
    }

    package func channels(_ ids: Set<ChannelID>) async throws(StoreError) -> [ChannelID: ChannelRecord] {
        change { contents in
            let known = contents.channels.filter { ids.contains($0.key.name) }
            return Dictionary(known.map { ($0.key.name, ChannelRecord($0.value, in: $0.key.namespace)) }) { $1 }
        }
    }

    package func channels(of app: Topic, in namespace: Namespace) async throws(StoreError) -> [BroadcastChannel] {
        change { contents in
            contents.channels.filter { $0.key.namespace == namespace && $0.value.app == app }
                .map { _, channel in
                    var channel = channel
                    channel.message = nil
                    return channel
                }
                .sorted { $0.id.rawValue < $1.id.rawValue }
        }
    }

    package func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) async throws(StoreError) -> [BroadcastChannel]? {
        change { contents in
            let place = StoreOracle.Place(namespace, token)
            guard contents.oracle.devices[place]?.standing == .active else { return nil }
            let former = contents.subscriptions.updateValue(channels, forKey: place)
            return channels.subtracting(former ?? []).compactMap {
                contents.channels[StoreOracle.Place(namespace, $0)]
            }
        }
    }

    package func subscriptions(
        of token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<ChannelID> {
        change { $0.subscriptions[StoreOracle.Place(namespace, token)] ?? [] }
    }

    package func storeMessage(
        _ message: BroadcastChannel.Message?,
        of channel: BroadcastChannel,
        in namespace: Namespace
    ) async throws(StoreError) -> [DeviceToken] {
        change { contents in
            if let message { contents.channels[StoreOracle.Place(namespace, channel.id)]?.message = message }
            return contents.subscriptions.filter { place, channels in
                place.namespace == namespace && channels.contains(channel.id)
                    && (contents.oracle.devices[place]?.topics.contains(channel.topic) == true
                        || contents.oracle.appTopics(ofDeviceAt: place).contains(channel.topic))
            }
            .keys.sorted { contents.numbers[$0] ?? 0 < contents.numbers[$1] ?? 0 }.map(\.name)
        }
    }
}

extension Contents {
    /// Gives a device the next number.
    mutating func number(_ place: StoreOracle.Place<DeviceToken>) {
        lastDevice += 1
        numbers[place] = lastDevice
    }
}

extension StoreOracle.Expectation {
    /// The expected changes as a store reports them.
    var changes: StoreChanges {
        let removals = removals.map { item, state in
            StoreChanges.Removal(agent: item.agent, sequence: item.sequence, batch: item.batch, state: state)
        }
        var changes = StoreChanges(removals: removals.sorted { $0.sequence < $1.sequence })
        changes.rewinds = rewinds
        changes.batches = batches
        return changes
    }
}
