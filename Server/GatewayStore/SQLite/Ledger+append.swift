internal import Delivery
internal import WaypostSchema

/// What becomes of a batch when it comes in.
extension Ledger {
    /// Takes a batch in, and decides about each notification.
    mutating func append(_ batch: NewBatch, connected: Set<AgentID>, at now: Timestamp) throws -> AppendOutcome {
        let known = try number(of: batch.namespace)
        if let known, let key = batch.key?.key, let keyed = try keyedBatch(with: key, in: known, at: now) {
            return .known(keyed)
        }
        let recipients = try batch.notifications.map { try recipient(of: $0, in: known) }
        let refusals = recipients.map(\.refusal)
        if batch.isAtomic, !batch.rejections.isEmpty || refusals.contains(where: { $0 != nil }) {
            return .refusedWhole(refusals)
        }
        let last = counters.sequence
        let key = BatchKey(namespace: try makeNumber(of: batch.namespace), number: nextBatchNumber())
        var intake = Intake(key, of: batch, connected: connected, at: now)
        for (notification, recipient) in zip(batch.notifications, recipients) {
            switch recipient {
            case .success(let recipient): try accept(notification, for: recipient, &intake)
            case .failure(let refusal):
                try reject(LogSubject(notification), refusal.rejection, of: intake)
            }
        }
        for item in batch.rejections { try reject(item.subject, item.rejection, of: intake) }
        try write(batch, intake, refusals)
        return .appended(intake.appended(refusals, logged: try note(batch, of: intake, above: last)))
    }

    private mutating func recipient(
        of notification: NewNotification,
        in namespace: Int?
    ) throws -> Result<Recipient, StoreRefusal> {
        guard let namespace, let device = try device(notification.token, in: namespace) else {
            return .failure(.unknownToken)
        }
        if let refusal = device.refusal(of: notification.topic) { return .failure(refusal) }
        return .success(
            Recipient(device: device.number, agent: device.agent, isPowerConstrained: device.isConstrained)
        )
    }

    private mutating func nextBatchNumber() -> Int {
        counters.batches += 1
        return counters.batches
    }

    private mutating func nextSequence() -> Int {
        counters.sequence += 1
        return counters.sequence
    }

    private mutating func accept(
        _ notification: NewNotification,
        for recipient: Recipient,
        _ intake: inout Intake
    ) throws {
        let policy = StoragePolicy(
            try mode(of: notification.topic, in: intake.key.namespace),
            for: notification.topic
        )
        switch policy.arrival(of: notification.traits, at: intake.reach(of: recipient), now: intake.now) {
        case .store(let slot, let deadline):
            // What has no slot in this mode is to have the topic's when its device can be reached no more.
            let place = ItemPlace(
                recipient: recipient,
                slot: slot,
                isLoose: slot == nil && policy.mode == .apns,
                deadline: deadline
            )
            try store(notification, at: place, &intake)
        case .send:
            let sequence = nextSequence()
            intake.send(notification, to: recipient, sequence: sequence)
            try note(LogSubject(notification), sequence: sequence, as: .accepted, of: intake)
        case .drop: try settle(notification, as: .dropped, &intake)
        case .expire: try settle(notification, as: .expired, &intake)
        }
    }

    /// Counts what ends where it came; it has a sequence for the log alone.
    private mutating func settle(
        _ notification: NewNotification,
        as state: DeliveryState,
        _ intake: inout Intake
    ) throws {
        intake.settle(as: state)
        guard keepsLog else { return }
        try note(LogSubject(notification), sequence: nextSequence(), as: state, of: intake)
    }

    /// Notes what was rejected, under a sequence for the log alone.
    private mutating func reject(_ subject: LogSubject, _ rejection: Rejection, of intake: Intake) throws {
        guard keepsLog else { return }
        try note(subject, sequence: nextSequence(), as: .rejected, rejection, of: intake)
    }

    private mutating func store(_ notification: NewNotification, at place: ItemPlace, _ intake: inout Intake) throws {
        if let slot = place.slot {
            let agent = intake.agent(place.recipient)
            let device = place.recipient.device
            intake.changes.departures += try collapse(
                slot,
                of: notification.topic,
                device,
                of: agent,
                intake.key.namespace,
                at: intake.now
            )
        }
        let sequence = nextSequence()
        let row = try insert(notification, at: place, sequence: sequence, of: intake.key)
        intake.noteStored(notification, for: place.recipient, sequence: sequence, row: row)
    }
}

extension Result where Failure == StoreRefusal {
    fileprivate var refusal: StoreRefusal? {
        guard case .failure(let refusal) = self else { return nil }
        return refusal
    }
}
