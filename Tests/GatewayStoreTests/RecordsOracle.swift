import GatewayStore
import WaypostSchema

/// What records should hold, kept in the plainest way: one list of what is stored, and what became of the rest.
struct RecordsOracle {
    struct Item {
        var notification: NewNotification
        var batch: BatchID
        var agent: AgentSecret
        /// As the records told it when the item was first seen in the inbox.
        var sequence: Int?
    }

    private(set) var stored: [Item] = []
    private(set) var batches: [BatchID: BatchStatus] = [:]
    private(set) var acknowledged: Set<Int> = []
    private var topics: [DeviceToken: Set<Topic>] = [:]
    private let agents: [DeviceToken: AgentSecret]

    /// Creates an oracle of devices that belong to `agents` once they are registered.
    init(agents: [DeviceToken: AgentSecret]) {
        self.agents = agents
    }

    /// The batches that may still change.
    var openBatches: Set<BatchID> {
        Set(stored.map(\.batch))
    }

    func inbox(_ agent: AgentSecret) -> [Item] {
        stored.filter { $0.agent == agent }
    }

    mutating func register(_ token: DeviceToken, _ topics: [Topic]) {
        self.topics[token] = Set(topics)
    }

    mutating func append(
        _ notifications: [NewNotification],
        batch: BatchID,
        connected: Set<AgentSecret>,
        at now: Timestamp
    ) -> (refusals: [StoreRefusal?], changes: GatewayRecords.Changes) {
        batches[batch] = BatchStatus(id: batch, accepted: 0, rejected: 0, states: [:])
        var changes = GatewayRecords.Changes()
        let refusals = notifications.map { notification -> StoreRefusal? in
            guard let topics = topics[notification.token], let agent = agents[notification.token] else {
                batches[batch]?.rejected += 1
                return .unknownToken
            }
            guard topics.contains(notification.topic) else {
                batches[batch]?.rejected += 1
                return .wrongTopic
            }
            batches[batch]?.accepted += 1
            switch notification.expiration {
            case 0 where !connected.contains(agent):
                return leave(unstored: .dropped, batch, &changes)
            case let second? where 1...(now.rawValue / 1_000) ~= second:
                return leave(unstored: .expired, batch, &changes)
            default:
                break
            }
            if let collapseID = notification.collapseID {
                changes.batches.formUnion(
                    settle(as: .collapsed) { item in
                        item.notification.collapseID == collapseID && item.notification.token == notification.token
                            && item.notification.topic == notification.topic
                    }
                )
            }
            stored.append(Item(notification: notification, batch: batch, agent: agent))
            changes.agents.insert(agent)
            return nil
        }
        return (refusals, changes)
    }

    private mutating func leave(
        unstored state: DeliveryState,
        _ batch: BatchID,
        _ changes: inout GatewayRecords.Changes
    ) -> StoreRefusal? {
        batches[batch]?.states[state, default: 0] += 1
        changes.batches.insert(batch)
        return nil
    }

    /// Lets what is past its expiration leave, of one agent.
    mutating func expire(_ agent: AgentSecret, at now: Timestamp) -> Set<BatchID> {
        settle(as: .expired) { item in
            guard item.agent == agent, let second = item.notification.expiration, second != 0 else { return false }
            return now.rawValue >= second * 1_000
        }
    }

    mutating func acknowledge(_ agent: AgentSecret, where isCovered: (Int) -> Bool) -> (Int, Set<BatchID>) {
        let covered = stored.filter { $0.agent == agent && $0.sequence.map(isCovered) ?? false }.compactMap(\.sequence)
        acknowledged.formUnion(covered)
        return (covered.count, settle(as: .acknowledged) { $0.sequence.map(covered.contains) ?? false })
    }

    mutating func drop(_ agent: AgentSecret) -> Set<BatchID> {
        settle(as: .dropped) { $0.agent == agent && $0.notification.expiration == 0 }
    }

    /// Notes the sequence under which an item was seen.
    mutating func note(_ sequence: Int, of id: NotificationID) {
        guard let index = stored.firstIndex(where: { $0.notification.id == id }) else { return }
        stored[index].sequence = stored[index].sequence ?? sequence
    }

    /// Returns the status that a batch should have.
    func status(of batch: BatchID) -> BatchStatus? {
        var status = batches[batch]
        let count = stored.count { $0.batch == batch }
        status?.states[.stored] = count == 0 ? nil : count
        return status
    }

    private mutating func settle(as state: DeliveryState, where isMatching: (Item) -> Bool) -> Set<BatchID> {
        let leaving = stored.filter(isMatching)
        stored.removeAll(where: isMatching)
        for item in leaving { batches[item.batch]?.states[state, default: 0] += 1 }
        return Set(leaving.map(\.batch))
    }
}
