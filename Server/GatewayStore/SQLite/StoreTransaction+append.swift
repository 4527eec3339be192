internal import Delivery
internal import Foundation
internal import GRDB
internal import WaypostSchema

/// Methods that store a batch.
extension StoreTransaction {
    /// Stores a batch and decides what happens to each notification.
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
        var progress = AppendProgress(key, of: batch, connected: connected, at: now)
        for (notification, recipient) in zip(batch.notifications, recipients) {
            switch recipient {
            case .success(let recipient): try accept(notification, for: recipient, &progress)
            case .failure(let refusal):
                try reject(LogSubject(notification), refusal.rejection, of: progress)
            }
        }
        for item in batch.rejections { try reject(item.subject, item.rejection, of: progress) }
        try write(batch, progress, refusals)
        return .appended(progress.appended(refusals, logged: try note(batch, of: progress, above: last)))
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
            Recipient(device: device.number, agent: device.agent, isLowPowerModeEnabled: device.isLowPowerModeEnabled)
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
        _ progress: inout AppendProgress
    ) throws {
        let policy = StoragePolicy(
            try mode(of: notification.topic, in: progress.key.namespace),
            for: notification.topic
        )
        switch policy.arrival(of: notification.traits, at: progress.reach(of: recipient), now: progress.now) {
        case .store(let slot, let deadline):
            // A notification without a slot in this mode gets the topic's slot when its device disconnects.
            let place = ItemPlace(
                recipient: recipient,
                slot: slot,
                isLoose: slot == nil && policy.mode == .apns,
                deadline: deadline
            )
            try store(notification, at: place, &progress)
        case .send:
            let sequence = nextSequence()
            progress.send(notification, to: recipient, sequence: sequence)
            try note(LogSubject(notification), sequence: sequence, as: .accepted, of: progress)
        case .drop: try settle(notification, as: .dropped, &progress)
        case .expire: try settle(notification, as: .expired, &progress)
        }
    }

    /// Counts a notification that ended on arrival; it has a sequence only for the log.
    private mutating func settle(
        _ notification: NewNotification,
        as state: DeliveryState,
        _ progress: inout AppendProgress
    ) throws {
        progress.settle(as: state)
        guard keepsLog else { return }
        try note(LogSubject(notification), sequence: nextSequence(), as: state, of: progress)
    }

    /// Records a rejected item in the log, with a sequence only for the log.
    private mutating func reject(_ subject: LogSubject, _ rejection: Rejection, of progress: AppendProgress) throws {
        guard keepsLog else { return }
        try note(subject, sequence: nextSequence(), as: .rejected, rejection, of: progress)
    }

    private mutating func store(
        _ notification: NewNotification,
        at place: ItemPlace,
        _ progress: inout AppendProgress
    ) throws {
        if let slot = place.slot {
            let agent = progress.agent(place.recipient)
            let device = place.recipient.device
            progress.changes.removals += try collapse(
                slot,
                of: notification.topic,
                device,
                of: agent,
                progress.key.namespace,
                at: progress.now
            )
        }
        let sequence = nextSequence()
        let row = try insert(notification, at: place, sequence: sequence, of: progress.key)
        progress.noteStored(notification, for: place.recipient, sequence: sequence, row: row)
    }
}

extension Result where Failure == StoreRefusal {
    fileprivate var refusal: StoreRefusal? {
        guard case .failure(let refusal) = self else { return nil }
        return refusal
    }
}

/// Methods that write the rows of a batch.
extension StoreTransaction {
    /// Inserts a notification into an inbox; returns the number of the row.
    func insert(
        _ notification: NewNotification,
        at place: ItemPlace,
        sequence: Int,
        of batch: BatchKey
    ) throws -> Int {
        try execute(
            "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                batch.namespace, place.recipient.agent, sequence, batch.number, place.recipient.device,
                notification.topic.stored, notification.pushType.stored, notification.priority,
                notification.expiration, place.deadline, notification.collapseID?.stored, place.slot?.stored,
                place.isLoose ? 1 : nil, notification.id.stored, Data(notification.payload),
                PayloadChecksum.of(notification.payload),
            ]
        )
        return Int(database.lastInsertedRowID)
    }

    /// Writes the row of a stored batch, and its idempotency key.
    mutating func write(_ batch: NewBatch, _ progress: AppendProgress, _ refusals: [StoreRefusal?]) throws {
        let record = batch.makeRecord?(refusals)
        // The notifications that the batch itself collapsed are already counted.
        let tally = progress.tally.merging(takeTally(of: progress.key), uniquingKeysWith: +)
        let rejected = batch.rejections.count + refusals.count { $0 != nil }
        try execute(
            "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [progress.key.namespace, progress.key.number, batch.id.stored, progress.now.rawValue, nil, rejected]
                + Self.counts(in: tally) + [record.map { Data($0) }]
        )
        guard let key = batch.key else { return }
        try execute(
            "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)",
            [
                progress.key.namespace, StoredText.encode(key.key), Data(key.fingerprint), progress.key.number,
                progress.now.rawValue,
            ]
        )
    }
}
