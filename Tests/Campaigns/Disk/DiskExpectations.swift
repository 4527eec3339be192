import WaypostSchema

/// The state of everything that a trial sent, received and acknowledged, and the promises that did not hold.
actor DiskExpectations {
    /// The answer to the request that sent a notification.
    enum Outcome: Sendable {
        /// There was no answer, or one that leaves it open.
        case unknown
        case stored
        case refused
    }

    /// The answer to the request that acknowledged a notification.
    private enum Removal {
        case open
        case requested
        case confirmed
    }

    private struct Entry {
        let item: DiskItem
        var outcome = Outcome.unknown
        var removal = Removal.open
        var sequence: Int?
        var isChecked = false
        var isDamaged = false
    }

    /// Sentences about promises that did not hold.
    private(set) var violations: [String] = []

    /// The number of answers, deliveries and confirmed acknowledgements.
    private(set) var operations = 0

    /// Other counts, by name.
    private(set) var counts: [String: Int] = [:]

    /// Whether the gateway that is in use does not answer any more.
    private(set) var hasStopped = false

    /// The number of answers of the gateway that is in use.
    private(set) var answers = 0

    private var entries: [NotificationID: Entry] = [:]
    private var idsBySequence: [Int: NotificationID] = [:]
    private var atomicBatches: [[NotificationID]] = []

    /// The last sequence at the last check.
    private var confirmedSequence = 0

    /// Adds a sentence about a promise that did not hold.
    func report(_ violation: String) {
        if violations.count < 50 { violations.append(violation) }
    }

    /// Adds to a count.
    func count(_ name: String, _ number: Int = 1) {
        counts[name, default: 0] += number
    }

    /// Begins to use another gateway.
    func startGateway() {
        (hasStopped, answers) = (false, 0)
    }

    /// Records that the gateway does not answer any more.
    func stopGateway() {
        hasStopped = true
    }
}

/// Requests and deliveries.
extension DiskExpectations {
    /// Adds notifications that are about to be sent in one request.
    func add(_ items: [DiskItem], isAtomic: Bool) {
        for item in items { entries[item.id] = Entry(item: item) }
        if isAtomic { atomicBatches.append(items.map(\.id)) }
    }

    /// Records the answer to the request that sent notifications.
    func record(_ outcome: Outcome, of items: [DiskItem]) {
        (answers, operations) = (answers + 1, operations + items.count)
        switch outcome {
        case .unknown: count("unknown outcomes")
        case .stored: count("answered items", items.count)
        case .refused: count("refused requests")
        }
        for item in items { entries[item.id]?.outcome = outcome }
    }

    /// Records a delivery.
    func receive(_ notification: DeliveredNotification, by agent: Int) {
        operations += 1
        guard var entry = entries[notification.id] else {
            return report("agent \(agent) got \(notification.id), which nobody sent")
        }
        let item = entry.item
        if item.agent != agent { report("agent \(agent) got \(item) of agent \(item.agent)") }
        if !item.matches(notification.payload) { report("\(item) came with a damaged payload") }
        if entry.outcome == .refused { report("\(item) came, although its request was refused or it was gone") }
        if entry.removal == .confirmed { report("\(item) came back after it was acknowledged") }
        checkSequence(notification.sequence, of: &entry)
        entries[item.id] = entry
    }

    /// Records that acknowledgements of sequences are about to be sent.
    func beginAcknowledgement(of sequences: [Int]) {
        setRemoval(.requested, of: sequences)
    }

    /// Records the answer to acknowledgements.
    func confirmAcknowledgement(of sequences: [Int], receipt: AcknowledgementReceipt) {
        operations += sequences.count
        answers += 1
        setRemoval(.confirmed, of: sequences)
        count("acknowledged items", sequences.count)
        if receipt.acknowledged > sequences.count {
            report("\(sequences.count) acknowledgements were answered with \(receipt.acknowledged)")
        }
    }

    private func setRemoval(_ removal: Removal, of sequences: [Int]) {
        for sequence in sequences {
            guard let id = idsBySequence[sequence], entries[id]?.removal != .confirmed else { continue }
            entries[id]?.removal = removal
        }
    }

    private func checkSequence(_ sequence: Int, of entry: inout Entry) {
        let item = entry.item
        if let earlier = entry.sequence, earlier != sequence {
            report("\(item) has the sequence \(sequence) and had \(earlier)")
        }
        if let other = idsBySequence[sequence], other != item.id {
            report("\(item) has the sequence \(sequence) of \(other)")
        }
        if !entry.isChecked, sequence <= confirmedSequence {
            report("\(item) is new and has the sequence \(sequence), but \(confirmedSequence) was given before")
        }
        entry.sequence = sequence
        idsBySequence[sequence] = item.id
    }
}

/// Checks after a restart.
extension DiskExpectations {
    /// Compares everything that was sent before the restart with the delivery log.
    func check(_ log: [NotificationID: NotificationRecord]) {
        for batch in atomicBatches {
            let count = batch.count { log[$0] != nil }
            if count != 0 && count != batch.count {
                report("\(count) of the \(batch.count) items of an atomic batch are there, such as \(batch[0])")
            }
        }
        atomicBatches = []
        for (id, entry) in entries {
            entries[id] = checked(entry, log[id])
            entries[id]?.isChecked = true
        }
        confirmedSequence = log.values.map(\.sequence).max() ?? confirmedSequence
    }

    private func checked(_ entry: Entry, _ record: NotificationRecord?) -> Entry {
        var entry = entry
        guard let record, record.state != .rejected else {
            if entry.outcome == .stored {
                report("\(entry.item) was answered with 200, and is not in the log")
            } else if let sequence = entry.sequence {
                report("\(entry.item) was delivered with the sequence \(sequence), and is not in the log")
            }
            // It must not appear later.
            entry.outcome = .refused
            return entry
        }
        if entry.outcome == .refused {
            report("\(entry.item) was refused or gone, and is in the log as \(record.state)")
        }
        entry.outcome = .stored
        checkSequence(record.sequence, of: &entry)
        switch entry.removal {
        case .open where record.state.isFinal:
            report("\(entry.item) is \(record.state), and was not acknowledged")
            entry.removal = .confirmed
        case .confirmed where record.state != .acknowledged:
            report("\(entry.item) was acknowledged, and is \(record.state) in the log")
        case .requested: entry.removal = record.state == .acknowledged ? .confirmed : .open
        case .open, .confirmed: break
        }
        return entry
    }

    /// The notifications that an agent must get now.
    func expectedItems(of agent: Int) -> [DiskItem] {
        entries.values.compactMap { entry in
            let isExpected = entry.outcome == .stored && entry.removal == .open && !entry.isDamaged
            return isExpected && entry.item.agent == agent ? entry.item : nil
        }
    }

    /// Records that the payloads of stored notifications are damaged now, so that they must not be delivered.
    func markAsDamaged(_ items: [DiskItem]) {
        for item in items { entries[item.id]?.isDamaged = true }
    }
}
