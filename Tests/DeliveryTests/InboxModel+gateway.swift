import Delivery
import WaypostSchema

// What happens to a gateway, as events of its notifications.
extension InboxModel {
    /// Writes to a device's open stream what can be written; returns the sequences.
    mutating func send(to device: Int, at now: Timestamp) throws -> [Int] {
        guard connected.contains(device) else { return [] }
        let isLowPowerModeEnabled = constrained.contains(device)
        let ready = live(of: device).filter { item in
            item.life.state != .sent && (item.deadline ?? .max) > now.seconds
                && !PowerRule.holds(priority: item.traits.priority, isLowPowerModeEnabled: isLowPowerModeEnabled)
        }
        for item in ready { try change(item, by: .send) }
        return ready.map(\.sequence)
    }

    /// Takes what a device says it has out of its inbox; other sequences are passed over.
    mutating func acknowledge(_ sequences: [Int], by device: Int) throws {
        // A device does not have what is now or never before it was sent.
        for item in live(of: device) where sequences.contains(item.sequence) && item.life.state != .accepted {
            try change(item, by: .acknowledge)
        }
    }

    /// Opens a device's stream, in the place of one that is open.
    mutating func connect(_ device: Int) throws {
        for item in live(of: device) where item.life.state == .sent { try change(item, by: .comeBack) }
        connected.insert(device)
    }

    /// Closes a device's stream.
    mutating func disconnect(_ device: Int) throws {
        connected.remove(device)
        for item in live(of: device) {
            if item.life.isTransient {
                try change(item, by: .drop)
            } else if item.life.state == .sent {
                try change(item, by: .comeBack)
            }
        }
        try keepNewest { $0.device == device }
    }

    /// Unregisters a device, which may be registered again at once.
    mutating func unregister(_ device: Int) throws {
        for item in live(of: device) { try change(item, by: .unregister) }
    }

    /// Chooses how an app's notifications are kept.
    mutating func setMode(_ mode: StorageMode, for topic: Topic) throws {
        modes[topic] = mode
        try keepNewest { $0.topic == topic }
        guard policy(of: topic).mode == .lossless else { return }
        for item in inbox.values where item.address.topic == topic && item.slot == .topic {
            setSlot(policy(of: topic).slot(collapseID: item.traits.collapseID), of: item)
        }
    }

    /// Sweeps what has expired.
    mutating func expire(at now: Timestamp) throws {
        for item in inbox.values where (item.deadline ?? .max) <= now.seconds { try change(item, by: .expire) }
    }

    /// Ends the gateway without a word, and opens it again on what it kept.
    mutating func crash() throws {
        crashLives()
        connected = []
        try keepNewest { _ in true }
    }

    /// Leaves what one device that cannot be reached has stored of an app whose storage is `apns`: the newest.
    private mutating func keepNewest(_ isConcerned: (Address) -> Bool) throws {
        for address in Set(inbox.values.map(\.address)) where isConcerned(address) {
            guard policy(of: address.topic).mode == .apns else { continue }
            let items = inbox.values.filter { $0.address == address }.sorted { $0.sequence < $1.sequence }
            for item in items.dropLast() { try change(item, by: .collapse) }
            if let newest = items.last {
                setSlot(policy(of: address.topic).slot(collapseID: newest.traits.collapseID), of: newest)
            }
        }
    }
}
