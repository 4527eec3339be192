import GatewayStore
import PushRules
import WaypostSchema

/// A model of the expected contents of a store, which it keeps in simple lists and searches linearly.
///
/// The oracle implements the documented rules and shares no code with an engine. It receives the numbers that an engine
/// assigns. It does not need sequences, because it identifies every accepted notification by its rank.
struct StoreOracle {
    /// A name in a namespace.
    struct Place<Name: Hashable>: Hashable {
        var namespace: Namespace
        var name: Name

        init(_ namespace: Namespace, _ name: Name) {
            (self.namespace, self.name) = (namespace, name)
        }
    }

    struct Device {
        var agent: AgentID
        var name: String
        var topics: Set<Topic>
        var standing = TokenStanding.active
        var since: Timestamp
        var isLowPowerModeEnabled = false
        var environments = DeviceEnvironments()
        var purpose: TokenPurpose?
    }

    struct Item {
        var rank: Int
        var sequence: Int
        var agent: AgentID
        var batch: BatchNumber
        var notification: NewNotification
        var slot: CollapseSlot?
        var deadline: Int?
    }

    struct Batch {
        var namespace: Namespace
        var id: BatchID
        var created: Timestamp
        var settled: Timestamp?
        var accepted: Int
        var rejected: Int
        var states: [DeliveryState: Int] = [:]
        var record: [UInt8]?
    }

    struct Key {
        var fingerprint: [UInt8]
        var batch: BatchNumber
        var created: Timestamp
    }

    /// The expected changes of an operation.
    struct Expectation {
        var rewinds: Set<AgentID> = []
        var removals: [(item: Item, state: DeliveryState)] = []
        var batches: Set<BatchNumber> = []
    }

    var devices: [Place<DeviceToken>: Device] = [:]
    var agents: [Place<SecretDigest>: AgentID] = [:]
    var storage: [Place<Topic>: StorageMode] = [:]
    var batches: [BatchNumber: Batch] = [:]
    var keys: [Place<String>: Key] = [:]
    var clocks: [Namespace: Timestamp] = [:]

    /// The current sessions.
    var sessions: [AgentID: SessionEpoch] = [:]

    /// The sequences of the transient notifications that were sent and have not ended, with their namespaces.
    var transients: [Int: Namespace] = [:]

    /// The namespaces in which something was written.
    var namespaces: Set<Namespace> = []

    /// The lines of the log, by sequence.
    var lines: [Int: Line] = [:]

    /// The sequences whose lines changed since the last check.
    var touchedLines: Set<Int> = []

    /// The seconds for which lines are kept after their end.
    var logRetention = 86_400

    /// The current time, or `nil` if it is not known.
    var now: Timestamp?

    /// The items in all inboxes, in the order of their ranks.
    var stored: [Item] = []

    /// The rank of the next accepted item.
    var nextRank = 0

    /// The identifiers of all batches that were ever accepted.
    var ids: [BatchNumber: Place<BatchID>] = [:]

    /// The batches whose states changed since the last check.
    var touched: Set<BatchNumber> = []

    /// Returns the contents of an inbox at a time before every deadline.
    func inbox(_ agent: AgentID) -> [Item] {
        stored.filter { $0.agent == agent && !isHeld($0) }
    }

    /// Returns the contents of an inbox at `now`.
    func inbox(_ agent: AgentID, at now: Timestamp) -> [Item] {
        inbox(agent).filter { item in item.deadline.map { $0 > now.seconds } ?? true }
    }

    /// Returns the contents of the inbox of one device at `now`, also if they are held back; `nil` if there is no device.
    func inbox(of place: Place<DeviceToken>, at now: Timestamp) -> [Item]? {
        guard devices[place] != nil else { return nil }
        return stored.filter { item in
            item.agent.namespace == place.namespace && item.notification.token == place.name
                && item.deadline.map { $0 > now.seconds } ?? true
        }
    }

    private func isHeld(_ item: Item) -> Bool {
        let device = devices[Place(item.agent.namespace, item.notification.token)]
        return item.notification.priority < 10 && device?.isLowPowerModeEnabled == true
    }

    func record(of number: BatchNumber) -> BatchRecord? {
        batches[number].map { batch in
            BatchRecord(
                number: number,
                id: batch.id,
                rejectedCount: batch.rejected,
                counts: DeliveryCounts(batch.states),
                storedAnswer: batch.record
            )
        }
    }

    func summary(of namespace: Namespace) -> NamespaceSummary {
        NamespaceSummary(
            name: namespace,
            devices: devices.keys.count { $0.namespace == namespace },
            stored: stored.count { $0.agent.namespace == namespace },
            oldest: stored.first { $0.agent.namespace == namespace }.flatMap { batches[$0.batch]?.created }
        )
    }

    func registered(_ place: Place<DeviceToken>) -> RegisteredDevice? {
        devices[place].map { device in
            RegisteredDevice(
                token: place.name,
                name: device.name,
                topics: device.topics.sorted { $0.rawValue < $1.rawValue },
                standing: device.standing,
                since: device.since,
                powerConstrained: device.isLowPowerModeEnabled,
                environment: device.environments.device,
                appEnvironments: device.environments.apps.isEmpty ? nil : device.environments.apps,
                purpose: device.purpose
            )
        }
    }

    /// Returns the devices of a namespace, in the order of their tokens.
    package func listed(in namespace: Namespace) -> [ListedDevice] {
        let found = devices.filter { $0.key.namespace == namespace }.sorted {
            $0.key.name.rawValue < $1.key.name.rawValue
        }
        return found.compactMap { place, device in
            registered(place).map {
                ListedDevice(
                    device: $0,
                    connected: sessions[device.agent] != nil,
                    stored: stored.count { $0.agent == device.agent && $0.notification.token == place.name }
                )
            }
        }
    }

    /// Returns the active devices of agents, in the order of their tokens.
    func devices(of agents: Set<AgentID>, in namespace: Namespace) -> [AgentID: [StreamDevice]] {
        let active = devices.filter { $0.key.namespace == namespace && $0.value.standing == .active }
            .sorted { $0.key.name.rawValue < $1.key.name.rawValue }
        return Dictionary(grouping: active.filter { agents.contains($0.value.agent) }, by: \.value.agent)
            .mapValues { $0.map { StreamDevice(token: $0.key.name, name: $0.value.name) } }
    }

    /// Returns the topics of the active tokens that the apps of a device have.
    func appTopics(ofDeviceAt place: Place<DeviceToken>) -> Set<Topic> {
        guard let device = devices[place] else { return [] }
        let tokens = devices.values.filter {
            $0.agent == device.agent && $0.name == device.name && $0.standing == .active && $0.purpose != nil
        }
        return Set(tokens.flatMap(\.topics))
    }

    /// Removes the items that match `isLeaving` from their inboxes, with the state `state`.
    mutating func settle(as state: DeliveryState, where isLeaving: (Item) -> Bool) -> Expectation {
        let leaving = stored.filter(isLeaving)
        stored.removeAll(where: isLeaving)
        for item in leaving {
            move(1, of: item.batch, from: .stored, to: state)
            end(item.sequence, as: state)
        }
        return Expectation(removals: leaving.map { ($0, state) })
    }

    mutating func move(_ count: Int, of batch: BatchNumber, from origin: DeliveryState, to state: DeliveryState) {
        guard let currentCount = batches[batch]?.states[origin] else { return }
        batches[batch]?.states[origin] = currentCount > count ? currentCount - count : nil
        batches[batch]?.states[state, default: 0] += min(count, currentCount)
        touched.insert(batch)
    }
}

extension Timestamp {
    /// Whether at least `milliseconds` have passed since this time at `now`.
    func isOlder(than milliseconds: Int, at now: Timestamp) -> Bool {
        let (age, isBeyondInt) = now.rawValue.subtractingReportingOverflow(rawValue)
        return isBeyondInt ? now > self : age >= milliseconds
    }
}
