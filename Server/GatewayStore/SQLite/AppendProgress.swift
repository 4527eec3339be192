internal import Delivery
internal import WaypostSchema

/// The progress of storing a batch: the inputs of each decision, and the results so far.
struct AppendProgress {
    /// The batch.
    let key: StoreTransaction.BatchKey

    /// The current time.
    let now: Timestamp

    /// The changes so far.
    var changes = StoreChanges()

    /// The number of notifications put into each state.
    private(set) var tally: [DeliveryState: Int] = [:]

    /// The number of the first row that was inserted into an inbox.
    private(set) var firstRow: Int?

    private let namespace: Namespace
    private let connected: Set<AgentID>
    private var deliveries: [StreamDelivery] = []
    private var agents: Set<Int> = []

    /// Begins to store a batch.
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

    /// Returns the connection state and the power state of a recipient.
    func reach(of recipient: Recipient) -> DeviceReach {
        DeviceReach(
            isConnected: !connected.isEmpty && connected.contains(agent(recipient)),
            isLowPowerModeEnabled: recipient.isLowPowerModeEnabled
        )
    }

    /// Records that a notification was put into an inbox, and delivers it to the recipient's stream if that accepts it
    /// now.
    ///
    /// - Parameters:
    ///   - notification: the notification.
    ///   - recipient: the recipient.
    ///   - sequence: the sequence of the notification.
    ///   - row: the number of its row.
    mutating func noteStored(_ notification: NewNotification, for recipient: Recipient, sequence: Int, row: Int) {
        firstRow = min(firstRow ?? row, row)
        tally[.stored, default: 0] += 1
        agents.insert(recipient.agent)
        if reach(of: recipient).takes(priority: notification.priority) {
            deliver(notification, to: recipient, sequence)
        }
    }

    /// Records that a transient notification goes to a recipient's stream.
    mutating func send(_ notification: NewNotification, to recipient: Recipient, sequence: Int) {
        tally[.accepted, default: 0] += 1
        deliver(notification, to: recipient, sequence)
    }

    private mutating func deliver(_ notification: NewNotification, to recipient: Recipient, _ sequence: Int) {
        let stored = StoredNotification(sequence: sequence, batch: number, notification: notification)
        deliveries.append(StreamDelivery(agent: agent(recipient), notification: stored))
    }

    /// Records that a notification reached a final state without having been in an inbox.
    mutating func settle(as state: DeliveryState) {
        tally[state, default: 0] += 1
        changes.batches.insert(number)
    }

    /// Returns the stored batch.
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

/// The properties of a notification's device that decide how the notification is stored.
struct Recipient: Sendable {
    /// The device's number.
    var device: Int

    /// The number of its agent.
    var agent: Int

    /// Whether low power mode is on.
    var isLowPowerModeEnabled: Bool
}

/// The place in an inbox for a notification.
struct ItemPlace {
    /// The recipient with the inbox.
    var recipient: Recipient

    /// The slot of the notification.
    var slot: CollapseSlot?

    /// Whether the notification has no slot while its device is reachable, and gets one when the device disconnects.
    var isLoose: Bool

    /// When it expires, in seconds since 1970.
    var deadline: Int?
}
