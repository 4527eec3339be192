import WaypostSchema

/// The notifications on the agent's device, as its control API lists them.
struct ModeledAgentNotifications: Sendable {
    /// The notifications that the user may have opened.
    fileprivate(set) var tappedIDs: Set<NotificationID> = []

    /// The times at which notifications were first opened, as an answer said.
    fileprivate(set) var openingTimes: [NotificationID: Timestamp] = [:]

    /// The notifications that were ever listed.
    fileprivate(set) var listedIDs: Set<NotificationID> = []
}

/// Rules about the notifications on the agent's device.
extension CrashModel {
    /// Returns those of the listed notifications that nothing replaces and nobody has opened.
    func unopenedIDs(in list: [DeviceNotification]) -> [NotificationID] {
        let plain = plainIDs
        return list.filter { $0.openedAt == nil && plain.contains($0.id) }.map(\.id)
    }

    private var plainIDs: Set<NotificationID> {
        Set(items.values.lazy.filter(\.item.isPlain).compactMap(\.item.id))
    }

    /// Records that the user taps a notification that nothing replaces.
    mutating func beginOpening(_ id: NotificationID) {
        agentNotifications.tappedIDs.insert(id)
    }

    /// Records the agent's answer to a tap, with the time at which the notification was first opened.
    mutating func confirmOpening(_ id: NotificationID, at time: Timestamp?) {
        countOperation()
        guard let time else { return report("\(id) was opened, and the answer has no time") }
        checkTime(of: id, time)
    }

    /// Records the agent's list of notifications.
    mutating func observeNotifications(_ list: [DeviceNotification]) {
        countOperation()
        let ids = Set(list.map(\.id))
        for id in Set(agentNotifications.openingTimes.keys).subtracting(ids) {
            report("\(id) was opened, and the agent no longer lists it")
        }
        for notification in list {
            let (id, time) = (notification.id, notification.openedAt)
            if let time {
                if !agentNotifications.tappedIDs.contains(id) { report("\(id) is open, and nobody opened it") }
                checkTime(of: id, time)
            } else if let earlier = agentNotifications.openingTimes[id] {
                report("\(id) was opened at \(earlier.rawValue), and the agent lists it as not opened")
            }
        }
        agentNotifications.listedIDs.formUnion(ids)
    }

    private mutating func checkTime(of id: NotificationID, _ time: Timestamp) {
        let first = agentNotifications.openingTimes[id] ?? time
        if first != time { report("\(id) was first opened at \(first.rawValue), and later at \(time.rawValue)") }
        agentNotifications.openingTimes[id] = first
    }

    /// Returns the contradictions between what the agent ever listed and the whole delivery log.
    func agentFindings(in log: [NotificationRecord]) -> [String] {
        let records = Dictionary(grouping: log.filter { $0.state != .rejected }, by: \.id)
        let plain = plainIDs
        return agentNotifications.listedIDs.sorted { $0.rawValue < $1.rawValue }.compactMap { id in
            let states = (records[id] ?? []).map(\.state)
            if states.isEmpty { return "the agent has \(id), and the log does not" }
            guard plain.contains(id), states.contains(where: { $0 != .acknowledged }) else { return nil }
            return "the agent has \(id), and the log says \(states)"
        }
    }
}
