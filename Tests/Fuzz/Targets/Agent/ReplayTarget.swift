import DeviceModel
import Foundation
import JSONScanning
import WaypostSchema

extension FuzzTarget {
    /// The entries of a journal as JSON Lines.
    static let replays = FuzzTarget(
        name: "replays",
        summary: "journals that people write; the same entries give the same device, also after a stored state"
    ) { bytes in
        // The JSON around a payload makes it deeper, so that the deepest ones can be applied and not sent.
        let bracketCount = bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
        var replay = Replay(isShallow: bracketCount < 256)
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(64) {
            guard let entry = try? DocumentDecoder.decode(JournalEntry.self, fromDeepJSON: line),
                (0...DeviceModel.latestTime.rawValue).contains(entry.at.rawValue)
            else { continue }
            replay.apply(entry)
        }
        replay.checkState()
    }
}

/// A device that is replayed, and the same device again.
private struct Replay {
    /// Whether everything can be read again.
    private let isShallow: Bool

    private var device = DeviceModel()
    private var other = DeviceModel()
    private var time = Timestamp(milliseconds: 0)

    init(isShallow: Bool) {
        self.isShallow = isShallow
    }

    mutating func apply(_ entry: JournalEntry) {
        time = max(time, entry.at)
        let reaction = device.apply(entry.event, at: time)
        promise(other.apply(entry.event, at: time) == reaction, "the same entry has the same effects", found: reaction)
        let sent = (try? JSONEncoder().encode(reaction)).flatMap {
            try? DocumentDecoder.decode(DeviceReaction.self, fromDeepJSON: $0)
        }
        promise(sent != nil || !isShallow, "effects can be sent", found: reaction)
    }

    /// Checks that a device that was stored and read reacts as the device does.
    mutating func checkState() {
        guard var stored = storedDevice() else { return promise(!isShallow, "a state can be stored and read") }
        let end = Timestamp(milliseconds: min(time.rawValue + 86_400_000, DeviceModel.latestTime.rawValue))
        let expected = device.apply(.system(.timePassed), at: end)
        let found = stored.apply(.system(.timePassed), at: end)
        promise(found == expected, "a device reacts as before after a stored state", found: (expected, found))
        promise(stored.snapshotNames == device.snapshotNames, "a state has the names of the snapshots")
    }

    /// Returns the device as an agent stores and reads it: the notifications apart.
    private func storedDevice() -> DeviceModel? {
        var rest = device
        let notifications = rest.detachNotifications()
        guard let data = try? JSONEncoder().encode(rest),
            var stored = try? DocumentDecoder.decode(DeviceModel.self, fromDeepJSON: data)
        else { return nil }
        let read = notifications.compactMap { notification in
            (try? JSONEncoder().encode(notification)).flatMap {
                try? DocumentDecoder.decode(DetachedNotification.self, fromDeepJSON: $0)
            }
        }
        guard read.count == notifications.count else { return nil }
        stored.attach(read)
        return stored
    }
}
