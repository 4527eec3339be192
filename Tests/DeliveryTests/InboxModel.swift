import Delivery
import WaypostSchema

/// A gateway's inboxes made of Core alone: what it keeps over a crash, and what it has in mind.
///
/// It is told what happens, and an event that the life of a notification does not allow is an error.
struct InboxModel {
    /// The notifications of one app for one device.
    struct Address: Hashable {
        var device: Int
        var topic: Topic
    }

    struct Item {
        let sequence: Int
        let batch: Int
        let address: Address
        let traits: NotificationTraits
        let deadline: Int?
        var slot: CollapseSlot?
        var life: DeliveryLife

        /// The state that its batch counts it in while it is live: that it was sent is not kept.
        var keptState: DeliveryState { life.isTransient ? .accepted : .stored }
    }

    /// An event, and what it happened to.
    struct SeenEvent: Hashable {
        var isTransient: Bool
        var state: DeliveryState
        var event: DeliveryEvent
    }

    // Kept over a crash.
    private(set) var inbox: [Int: Item] = [:]
    private(set) var departed: [Int: Item] = [:]
    private(set) var counts: [Int: DeliveryCounts] = [:]
    var modes: [Topic: StorageMode] = [:]
    var constrained: Set<Int> = []
    private(set) var lastSequence = 0

    // Lost with a crash.
    private(set) var flights: [Int: Item] = [:]
    var connected: Set<Int> = []

    /// What has happened so far.
    private(set) var seen: Set<SeenEvent> = []

    /// Everything that is live, in order.
    var live: [Item] {
        (Array(inbox.values) + Array(flights.values)).sorted { $0.sequence < $1.sequence }
    }

    /// What of a device is live, in order.
    func live(of device: Int) -> [Item] {
        live.filter { $0.address.device == device }
    }

    func policy(of topic: Topic) -> StoragePolicy {
        StoragePolicy(modes[topic] ?? .lossless, for: topic)
    }

    /// Takes a notification in as the next of its batch.
    mutating func accept(
        _ traits: NotificationTraits,
        to address: Address,
        batch: Int,
        at now: Timestamp
    ) throws {
        let device = DeviceReach(
            isConnected: connected.contains(address.device),
            isLowPowerModeEnabled: constrained.contains(address.device)
        )
        switch policy(of: address.topic).arrival(of: traits, at: device, now: now) {
        case .store(let slot, let deadline):
            if let older = inbox.values.first(where: { slot != nil && $0.address == address && $0.slot == slot }) {
                try change(older, by: .collapse)
            }
            try change(add(traits, to: address, batch: batch, slot: slot, deadline: deadline), by: .store)
        case .send: _ = add(traits, to: address, batch: batch)
        case .drop: try change(add(traits, to: address, batch: batch), by: .drop)
        case .expire: try change(add(traits, to: address, batch: batch), by: .expire)
        }
    }

    /// Lets `event` happen to a live item.
    mutating func change(_ item: Item, by event: DeliveryEvent) throws {
        seen.insert(SeenEvent(isTransient: item.life.isTransient, state: item.life.state, event: event))
        var item = item
        try item.life.apply(event)
        put(item)
    }

    /// Gives a live item of an inbox another slot.
    mutating func setSlot(_ slot: CollapseSlot?, of item: Item) {
        inbox[item.sequence]?.slot = slot
    }

    /// Leaves every item where a crash leaves it.
    mutating func crashLives() {
        for var item in live {
            item.life = DeliveryLife(isTransient: item.life.isTransient, state: item.life.stateAfterCrash)
            put(item)
        }
    }

    private mutating func add(
        _ traits: NotificationTraits,
        to address: Address,
        batch: Int,
        slot: CollapseSlot? = nil,
        deadline: Int? = nil
    ) -> Item {
        lastSequence += 1
        let item = Item(
            sequence: lastSequence,
            batch: batch,
            address: address,
            traits: traits,
            deadline: deadline,
            slot: slot,
            life: DeliveryLife(isTransient: traits.expiration == 0)
        )
        counts[batch, default: DeliveryCounts()].add(in: item.keptState)
        put(item)
        return item
    }

    private mutating func put(_ item: Item) {
        inbox[item.sequence] = nil
        flights[item.sequence] = nil
        if item.life.state.isFinal {
            departed[item.sequence] = item
            counts[item.batch]?.move(from: item.keptState, to: item.life.state)
        } else if item.life.isTransient {
            flights[item.sequence] = item
        } else {
            inbox[item.sequence] = item
        }
    }
}
