import Delivery
import WaypostSchema

/// What becomes of a batch when it comes in.
extension NamespaceRecords {
    /// What decides about the notifications of a batch, and what became of them so far.
    private struct Intake {
        let batch: BatchID
        let connected: Set<AgentID>
        let now: Timestamp
        var appended: Appended

        /// Counts something in the state that it was put into at once.
        mutating func count(_ state: DeliveryState) {
            appended.arrivals[state, default: 0] += 1
            if state.isFinal { appended.changes.batches.insert(appended.number) }
        }

        /// Takes `sequence`, which follows those taken so far, as one that is in the log.
        mutating func noteLogged(_ sequence: Int) {
            appended.logged = (appended.logged?.lowerBound ?? sequence)...sequence
        }
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
        var intake = Intake(batch: batch.id, connected: connected, now: now, appended: appended)
        for (notification, refusal) in zip(batch.notifications, refusals) {
            if let refusal {
                reject(LogSubject(notification), refusal.rejection, &intake, &numbers)
            } else {
                accept(notification, &intake, &numbers)
            }
        }
        for item in batch.rejections { reject(item.subject, item.rejection, &intake, &numbers) }
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
        let arrival = arrival(of: notification, at: device, intake)
        batches.add(arrival.state, to: intake.appended.number)
        intake.count(arrival.state)
        // What is neither stored nor sent has its sequence for the log alone.
        guard log.isKept || !arrival.state.isFinal else { return }
        let sequence = numbers.nextSequence()
        note(LogSubject(notification), as: arrival.state, sequence: sequence, &intake)
        let stored = StoredNotification(
            sequence: sequence,
            batch: intake.appended.number,
            notification: notification
        )
        if case .store(let slot, let deadline) = arrival {
            let item = Inbox.Item(stored: stored, slot: slot, deadline: deadline)
            store(item, in: device.agent, &intake)
        }
        if !arrival.state.isFinal, reach(of: device, intake).takes(priority: notification.priority) {
            intake.appended.flights.append(Flight(agent: id(device.agent), notification: stored))
        }
    }

    private mutating func reject(
        _ subject: LogSubject,
        _ rejection: Rejection,
        _ intake: inout Intake,
        _ numbers: inout GatewayRecords.Numbers
    ) {
        guard log.isKept else { return }
        note(subject, as: .rejected, rejection, sequence: numbers.nextSequence(), &intake)
    }

    private mutating func note(
        _ subject: LogSubject,
        as state: DeliveryState,
        _ rejection: Rejection? = nil,
        sequence: Int,
        _ intake: inout Intake
    ) {
        guard log.isKept else { return }
        intake.noteLogged(sequence)
        note(subject, of: intake.batch, as: state, rejection, sequence: sequence, at: intake.now)
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

    private mutating func store(_ item: Inbox.Item, in agent: Int, _ intake: inout Intake) {
        earliestDeadline = min(earliestDeadline, item.deadline ?? .max)
        intake.appended.changes.agents.insert(id(agent))
        guard let replaced = inboxes[agent]?.store(item) else { return }
        intake.appended.changes.append(leave(agent, [replaced], by: .collapse, at: intake.now))
    }
}

extension Arrival {
    /// The state that it leads to at once.
    fileprivate var state: DeliveryState {
        switch self {
        case .store: .stored
        case .send: .accepted
        case .drop: .dropped
        case .expire: .expired
        }
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
