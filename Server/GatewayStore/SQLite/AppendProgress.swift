internal import Delivery
internal import WaypostSchema

/// What decides about the notifications of a batch that is taken in, and what became of them so far.
struct AppendProgress {
    /// The batch.
    let key: StoreTransaction.BatchKey

    /// The present moment.
    let now: Timestamp

    /// What changed so far.
    var changes = StoreChanges()

    /// How many notifications were put into each state.
    private(set) var tally: [DeliveryState: Int] = [:]

    /// The number of the first row of what was put into inboxes.
    private(set) var firstRow: Int?

    private let namespace: Namespace
    private let connected: Set<AgentID>
    private var deliveries: [StreamDelivery] = []
    private var agents: Set<Int> = []

    /// Begins to take a batch in.
    init(_ key: StoreTransaction.BatchKey, of batch: NewBatch, connected: Set<AgentID>, at now: Timestamp) {
        self.key = key
        namespace = batch.namespace
        self.connected = connected
        self.now = now
    }

    /// Returns the agent of a recipient.
    func agent(_ recipient: Recipient) -> AgentID {
        AgentID(namespace: namespace, number: recipient.agent)
    }

    /// Returns whether a recipient can be reached.
    func reach(of recipient: Recipient) -> DeviceReach {
        DeviceReach(
            isConnected: !connected.isEmpty && connected.contains(agent(recipient)),
            isLowPowerModeEnabled: recipient.isLowPowerModeEnabled
        )
    }

    /// Notes that something was put into a recipient's inbox; it goes to the recipient's stream at once where that takes it.
    ///
    /// - Parameters:
    ///   - notification: what was put there.
    ///   - recipient: the recipient.
    ///   - sequence: its sequence.
    ///   - row: the number of its row.
    mutating func noteStored(_ notification: NewNotification, for recipient: Recipient, sequence: Int, row: Int) {
        firstRow = min(firstRow ?? row, row)
        tally[.stored, default: 0] += 1
        agents.insert(recipient.agent)
        if reach(of: recipient).takes(priority: notification.priority) {
            deliver(notification, to: recipient, sequence)
        }
    }

    /// Notes that something is on its way to a recipient.
    mutating func send(_ notification: NewNotification, to recipient: Recipient, sequence: Int) {
        tally[.accepted, default: 0] += 1
        deliver(notification, to: recipient, sequence)
    }

    private mutating func deliver(_ notification: NewNotification, to recipient: Recipient, _ sequence: Int) {
        let stored = StoredNotification(sequence: sequence, batch: number, notification: notification)
        deliveries.append(StreamDelivery(agent: agent(recipient), notification: stored))
    }

    /// Notes that something reached a final state without having been in an inbox.
    mutating func settle(as state: DeliveryState) {
        tally[state, default: 0] += 1
        changes.batches.insert(number)
    }

    /// Returns what the batch has come to.
    func appended(_ refusals: [StoreRefusal?], logged: ClosedRange<Int>?) -> Appended {
        var changes = changes
        changes.agents = Set(agents.map { AgentID(namespace: namespace, number: $0) })
        let departed = Set(changes.removals.map(\.sequence))
        let deliveries =
            departed.isEmpty ? deliveries : deliveries.filter { !departed.contains($0.notification.sequence) }
        return Appended(
            number: number,
            refusals: refusals,
            deliveries: deliveries,
            logged: logged,
            arrivals: tally,
            changes: changes
        )
    }

    private var number: BatchNumber {
        BatchNumber(rawValue: key.number)
    }
}

/// The device that a notification goes to, as far as its storage depends on it.
struct Recipient: Sendable {
    /// The device's number.
    var device: Int

    /// The number of its agent.
    var agent: Int

    /// Whether its power is short.
    var isLowPowerModeEnabled: Bool
}

/// Where a notification is put.
struct ItemPlace {
    /// Whose inbox it is.
    var recipient: Recipient

    /// The slot that it has.
    var slot: CollapseSlot?

    /// Whether it has no slot because its device can be reached, and is to have one when that ends.
    var isLoose: Bool

    /// When it expires, in seconds since 1970.
    var deadline: Int?
}
