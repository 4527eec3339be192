import PushRules
import WaypostSchema

/// A model of a gateway's inboxes, built from Core alone: the state that survives a crash, and the state in memory.
///
/// The caller reports each event. An event that the life of a notification does not allow throws an error.
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

        /// The state in which the batch counts the item while it is live.
        ///
        /// `sent` is not stored.
        var keptState: DeliveryState { life.isTransient ? .accepted : .stored }
    }

    /// An event, with the state that it happened in.
    struct SeenEvent: Hashable {
        var isTransient: Bool
        var state: DeliveryState
        var event: DeliveryEvent
    }

    // Survives a crash.
    private(set) var inbox: [Int: Item] = [:]
    private(set) var departed: [Int: Item] = [:]
    private(set) var counts: [Int: DeliveryCounts] = [:]
    var modes: [Topic: StorageMode] = [:]
    var constrained: Set<Int> = []
    private(set) var lastSequence = 0

    // Lost in a crash.
    private(set) var flights: [Int: Item] = [:]
    var connected: Set<Int> = []

    /// The events that have happened.
    private(set) var seen: Set<SeenEvent> = []

    /// All live items, in order.
    var live: [Item] {
        (Array(inbox.values) + Array(flights.values)).sorted { $0.sequence < $1.sequence }
    }

    /// Returns a device's live items, in order.
    func live(of device: Int) -> [Item] {
        live.filter { $0.address.device == device }
    }

    func policy(of topic: Topic) -> StoragePolicy {
        StoragePolicy(modes[topic] ?? .lossless, for: topic)
    }

    /// Accepts a notification as the next item of its batch.
    mutating func accept(
        _ traits: NotificationTraits,
        to address: Address,
        batch: Int,
        at now: Timestamp
    ) throws {
        let device = DeviceReachability(
            isConnected: connected.contains(address.device),
            isLowPowerModeEnabled: constrained.contains(address.device)
        )
        switch policy(of: address.topic).decision(on: traits, for: device, now: now) {
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

    /// Applies `event` to a live item.
    mutating func change(_ item: Item, by event: DeliveryEvent) throws {
        seen.insert(SeenEvent(isTransient: item.life.isTransient, state: item.life.state, event: event))
        var item = item
        try item.life.apply(event)
        put(item)
    }

    /// Assigns another slot to a live item of an inbox.
    mutating func setSlot(_ slot: CollapseSlot?, of item: Item) {
        inbox[item.sequence]?.slot = slot
    }

    /// Moves every item to its state after a crash.
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
