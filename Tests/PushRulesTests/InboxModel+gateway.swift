import PushRules
import WaypostSchema

// Operations of a gateway, as events of its notifications.
extension InboxModel {
    /// Writes every item that can be written to a device's open stream, and returns the sequences.
    mutating func send(to device: Int, at now: Timestamp) throws -> [Int] {
        guard connected.contains(device) else { return [] }
        let isLowPowerModeEnabled = constrained.contains(device)
        let ready = live(of: device).filter { item in
            item.life.state != .sent && (item.deadline ?? .max) > now.seconds
                && !PowerRule.defers(priority: item.traits.priority, isLowPowerModeEnabled: isLowPowerModeEnabled)
        }
        for item in ready { try change(item, by: .send) }
        return ready.map(\.sequence)
    }

    /// Removes the acknowledged items from a device's inbox; ignores unknown sequences.
    mutating func acknowledge(_ sequences: [Int], by device: Int) throws {
        // A device cannot acknowledge a transient notification before it was sent.
        for item in live(of: device) where sequences.contains(item.sequence) && item.life.state != .accepted {
            try change(item, by: .acknowledge)
        }
    }

    /// Opens a device's stream and replaces an open one.
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

    /// Unregisters a device, which may register again immediately.
    mutating func unregister(_ device: Int) throws {
        for item in live(of: device) { try change(item, by: .unregister) }
    }

    /// Sets an app's storage mode.
    mutating func setMode(_ mode: StorageMode, for topic: Topic) throws {
        modes[topic] = mode
        try keepNewest { $0.topic == topic }
        guard policy(of: topic).mode == .lossless else { return }
        for item in inbox.values where item.address.topic == topic && item.slot == .topic {
            setSlot(policy(of: topic).slot(collapseID: item.traits.collapseID), of: item)
        }
    }

    /// Removes the expired items.
    mutating func expire(at now: Timestamp) throws {
        for item in inbox.values where (item.deadline ?? .max) <= now.seconds { try change(item, by: .expire) }
    }

    /// Crashes the gateway and restarts it with its stored state.
    mutating func crash() throws {
        crashLives()
        connected = []
        try keepNewest { _ in true }
    }

    /// Keeps only the newest stored item for each app with `apns` storage and each of the given devices.
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
