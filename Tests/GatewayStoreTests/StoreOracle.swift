import Delivery
import WaypostSchema

@testable import GatewayStore

/// What a store should hold, kept in the plainest way: lists that are searched from one end to the other.
///
/// It knows the rules from their documents and shares no code with an engine. The numbers that an engine gives are told
/// to it; sequences it does not need, for it knows everything accepted by its rank.
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

    /// What a change should tell.
    struct Expectation {
        var agents: Set<AgentID> = []
        var removals: [(item: Item, state: DeliveryState)] = []
        var batches: Set<BatchNumber> = []
    }

    var devices: [Place<DeviceToken>: Device] = [:]
    var agents: [Place<SecretDigest>: AgentID] = [:]
    var storage: [Place<Topic>: StorageMode] = [:]
    var batches: [BatchNumber: Batch] = [:]
    var keys: [Place<String>: Key] = [:]
    var clocks: [Namespace: Timestamp] = [:]

    /// The namespaces in which something was written.
    var namespaces: Set<Namespace> = []

    /// What the log remembers, by sequence.
    var lines: [Int: Line] = [:]

    /// The sequences of which something was noted since this was emptied.
    var touchedLines: Set<Int> = []

    /// The present moment; `nil` where nobody knows it.
    var now: Timestamp?

    /// What is in an inbox, by rank.
    var stored: [Item] = []

    /// The rank of what is accepted next.
    var nextRank = 0

    /// Every batch that was ever taken in.
    var ids: [BatchNumber: Place<BatchID>] = [:]

    /// The batches whose states changed since this was emptied.
    var touched: Set<BatchNumber> = []

    /// What an inbox shows that is read at a time before everything.
    func inbox(_ agent: AgentID) -> [Item] {
        stored.filter { $0.agent == agent && !isHeld($0) }
    }

    /// What an inbox shows at `now`.
    func inbox(_ agent: AgentID, at now: Timestamp) -> [Item] {
        inbox(agent).filter { item in item.deadline.map { $0 > now.seconds } ?? true }
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
                rejected: batch.rejected,
                counts: DeliveryCounts(batch.states),
                record: batch.record
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
                powerConstrained: device.isLowPowerModeEnabled
            )
        }
    }

    /// Lets everything that `isLeaving` holds for leave its inbox in the state `state`.
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
        guard let there = batches[batch]?.states[origin] else { return }
        batches[batch]?.states[origin] = there > count ? there - count : nil
        batches[batch]?.states[state, default: 0] += min(count, there)
        touched.insert(batch)
    }
}
