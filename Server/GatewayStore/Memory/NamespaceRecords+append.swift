import Delivery
import WaypostSchema

/// What becomes of a batch when it comes in.
extension NamespaceRecords {
    /// What decides about the notifications of a batch, and what became of them so far.
    private struct Intake {
        let connected: Set<AgentID>
        let now: Timestamp
        var appended: Appended
    }

    /// Returns for each notification why it cannot be taken, or `nil`.
    func refusals(of notifications: [NewNotification]) -> [StoreRefusal?] {
        notifications.map { notification in
            guard let device = devices[notification.token] else { return .unknownToken }
            return device.refusal(of: notification.topic)
        }
    }

    /// Takes a batch in, but for what is refused.
    mutating func take(
        _ batch: NewBatch,
        refusals: [StoreRefusal?],
        connected: Set<AgentID>,
        at now: Timestamp,
        _ numbers: inout GatewayRecords.Numbers
    ) -> Appended {
        let number = numbers.nextBatch()
        batches.begin(batch, number, refusals: refusals, at: now)
        let appended = Appended(number: number, refusals: refusals, changes: StoreChanges())
        var intake = Intake(connected: connected, now: now, appended: appended)
        for (notification, refusal) in zip(batch.notifications, refusals) where refusal == nil {
            accept(notification, &intake, &numbers)
        }
        batches.noteIfSettled(number)
        let departed = Set(intake.appended.changes.departures.map(\.sequence))
        intake.appended.flights.removeAll { departed.contains($0.notification.sequence) }
        return intake.appended
    }

    private mutating func accept(
        _ notification: NewNotification,
        _ intake: inout Intake,
        _ numbers: inout GatewayRecords.Numbers
    ) {
        guard let device = devices[notification.token] else { return }
        let number = intake.appended.number
        let numbered = { (sequence: Int) in
            StoredNotification(sequence: sequence, batch: number, notification: notification)
        }
        switch arrival(of: notification, at: device, intake) {
        case .store(let slot, let deadline):
            batches.add(.stored, to: number)
            intake.appended.arrivals[.stored, default: 0] += 1
            let item = Inbox.Item(stored: numbered(numbers.nextSequence()), slot: slot, deadline: deadline)
            store(item, in: device.agent, &intake.appended.changes)
            if reach(of: device, intake).takes(priority: notification.priority) {
                intake.appended.flights.append(Flight(agent: id(device.agent), notification: item.stored))
            }
        case .send:
            batches.add(.accepted, to: number)
            intake.appended.arrivals[.accepted, default: 0] += 1
            let flight = Flight(agent: id(device.agent), notification: numbered(numbers.nextSequence()))
            intake.appended.flights.append(flight)
        case .drop:
            batches.add(.dropped, to: number)
            intake.appended.arrivals[.dropped, default: 0] += 1
            intake.appended.changes.batches.insert(number)
        case .expire:
            batches.add(.expired, to: number)
            intake.appended.arrivals[.expired, default: 0] += 1
            intake.appended.changes.batches.insert(number)
        }
    }

    private func arrival(of notification: NewNotification, at device: Device, _ intake: Intake) -> Arrival {
        policy(for: notification.topic).arrival(of: notification.traits, at: reach(of: device, intake), now: intake.now)
    }

    private func reach(of device: Device, _ intake: Intake) -> DeviceReach {
        DeviceReach(
            isConnected: intake.connected.contains(id(device.agent)),
            isPowerConstrained: device.isPowerConstrained
        )
    }

    private mutating func store(_ item: Inbox.Item, in agent: Int, _ changes: inout StoreChanges) {
        earliestDeadline = min(earliestDeadline, item.deadline ?? .max)
        changes.agents.insert(id(agent))
        if let replaced = inboxes[agent]?.store(item) { changes.append(leave(agent, [replaced], by: .collapse)) }
    }
}

extension NamespaceRecords.Device {
    /// Returns why a notification for `topic` cannot be taken; `nil` where it can.
    fileprivate func refusal(of topic: Topic) -> StoreRefusal? {
        switch standing {
        case .active: topics.contains(topic) ? nil : .wrongTopic
        case .unregistered: .unregistered(since: since)
        case .expired: .expired(since: since)
        case .wrongEnvironment: .wrongEnvironment
        }
    }
}
