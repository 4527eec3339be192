import WaypostSchema

/// The states of a gateway that the requests, answers and deliveries of a trial allow, and what contradicts them.
///
/// It is a value without I/O. A request that got no answer may have had its effect or not.
struct CrashModel: Sendable {
    /// Sentences, each about one promise that did not hold.
    private(set) var violations: [String] = []

    /// The number of answers, deliveries and acknowledgements.
    private(set) var operations = 0

    /// The number of repeated deliveries.
    private(set) var duplicates = 0

    /// The items by name.
    private(set) var items: [String: ModeledItem] = [:]

    /// The sequences that were acknowledged in a request that the gateway confirmed for each of them.
    private(set) var acknowledged: Set<Int> = []

    /// The identifiers of all notifications that a receiver got.
    private(set) var deliveredIDs: Set<NotificationID> = []

    /// The accepted and rejected items in the receipts of batches.
    private(set) var receipts: [BatchID: BatchReceipt] = [:]

    /// The receivers whose last rotation of their secret was confirmed.
    var confirmedRotations: Set<String> = []

    /// The devices that are registered, changed and unregistered, by token.
    var registrations: [DeviceToken: ModeledRegistration] = [:]

    /// The broadcast channels.
    var channels = ModeledChannels()

    /// The number of gateways that were started.
    private(set) var gateways = 0

    /// The gateway that answered a batch with 202, by the identifier in the answer.
    var pendingBatches: [BatchID: Int] = [:]

    /// The notifications on the agent's device.
    var agentNotifications = ModeledAgentNotifications()

    /// The receiver of each device.
    private var receivers: [String: String] = [:]
    private var clocks: [Namespace: ClockBounds] = [:]
    private var deliveries: [Int: DeliveredNotification] = [:]

    /// The stream on which a sequence was acknowledged with an answer.
    private var ended: [Int: Int] = [:]

    /// The sequences whose acknowledgements have no answer, by receiver.
    private var unconfirmed: [String: Set<Int>] = [:]

    /// The highest sequence of each receiver that arrived for the first time.
    private var lastSequences: [String: Int] = [:]

    /// The confirmed time at which each stream began, in seconds, by the number of the stream.
    private var streams: [Int] = []

    /// Reports that a promise did not hold.
    mutating func report(_ sentence: String) {
        violations.append(sentence)
    }

    /// Records that a gateway starts, after the one before it has ended.
    mutating func startGateway() {
        gateways += 1
    }

    /// Counts an answer.
    mutating func countOperation() {
        operations += 1
    }

    // MARK: Senders

    /// Adds a device of a receiver; a device without one is never connected.
    mutating func add(device: String, of receiver: String) {
        receivers[device] = receiver
    }

    /// Records that a request with items begins.
    mutating func begin(_ list: [CrashItem]) {
        for item in list { items[item.name, default: ModeledItem(item)].begin() }
    }

    /// Records that the gateway confirmed an item, with its identifier if the answer has one.
    mutating func accept(_ name: String, id: NotificationID?) {
        operations += 1
        guard let item = items[name]?.item else { return report("\(name) was answered and not sent") }
        if item.expectation == .rejection { report("\(name) was accepted, and must be refused") }
        items[name]?.accept()
        if let id { identify(name, id) }
    }

    /// Records that the gateway refused an item.
    mutating func reject(_ name: String, because reason: String) {
        operations += 1
        guard let item = items[name] else { return report("\(name) was answered and not sent") }
        if item.item.expectation == .acceptance { report("\(name) was refused: \(reason)") }
        if item.minimum > 0, !item.item.isAddedByEachRequest { report("\(name) was refused after it was confirmed") }
        items[name]?.reject()
    }

    /// Records that a batch was refused as a whole.
    mutating func refuse(_ list: [CrashItem]) {
        operations += 1
        if list.allSatisfy({ $0.expectation == .acceptance }) { report("the batch with \(list[0].name) was refused") }
        for item in list { items[item.name]?.reject() }
    }

    /// Records that nothing of a batch without an idempotency key was stored; one with a key is sent again.
    mutating func lose(_ list: [CrashItem]) {
        for item in list where item.isAddedByEachRequest { items[item.name]?.reject() }
    }

    /// Records the receipt of a batch, which is the same for each request with its idempotency key.
    mutating func record(_ receipt: BatchReceipt, isReplayed: Bool, isFirstRequest: Bool) {
        var receipt = receipt
        // An answer that is given again has no findings.
        receipt.findings = nil
        if isReplayed, isFirstRequest { report("the new key of batch \(receipt.id) got an earlier answer") }
        guard let first = receipts.updateValue(receipt, forKey: receipt.id) else { return }
        if first != receipt { report("batch \(receipt.id) had two answers: \(first) and \(receipt)") }
        if !isReplayed { report("batch \(receipt.id) was stored again for the same key") }
    }

    /// Records that a key got the receipt of another batch than before.
    mutating func checkKey(_ key: String, first: BatchID, later: BatchID) {
        if first != later { report("\(key) was answered with batch \(first), and later with batch \(later)") }
    }

    /// Records that everything of a device was deleted, with its namespace.
    mutating func purge(device: String) {
        for (name, item) in items where item.item.devices.contains(device) { items[name]?.purge() }
    }

    private mutating func identify(_ name: String, _ id: NotificationID) {
        if let other = items[name]?.item.id, other != id { report("\(name) has the identifiers \(other) and \(id)") }
        items[name]?.item.id = id
    }

    // MARK: Clocks

    /// The confirmed time of a namespace.
    func now(in namespace: Namespace) -> Timestamp {
        clocks[namespace]?.confirmed ?? Timestamp(milliseconds: 0)
    }

    /// Records that a request to move a clock begins.
    mutating func beginAdvance(of namespace: Namespace, to time: Timestamp) {
        let possible = max(time, clocks[namespace]?.possible ?? time)
        clocks[namespace]?.possible = possible
    }

    /// Records the reading of a clock.
    mutating func read(_ time: Timestamp, of namespace: Namespace) {
        operations += 1
        let bounds = clocks[namespace] ?? ClockBounds(confirmed: time, possible: time)
        if time < bounds.confirmed || time > bounds.possible {
            report("the clock of \(namespace) is \(time.rawValue), not \(bounds)")
        }
        clocks[namespace] = ClockBounds(confirmed: time, possible: max(time, bounds.possible))
    }

    /// Returns whether an item may have expired.
    func mayHaveExpired(_ item: CrashItem) -> Bool {
        guard let expiration = item.expiration, expiration > 0 else { return false }
        return expiration <= clocks[item.namespace]?.possible.seconds ?? 0
    }

    // MARK: Receivers

    /// Records that a receiver opens a stream, and returns the number of the stream.
    mutating func openStream(in namespace: Namespace) -> Int {
        streams.append(now(in: namespace).seconds)
        return streams.count - 1
    }

    /// Records a delivery.
    mutating func deliver(_ notification: DeliveredNotification, to receiver: String, on stream: Int) {
        operations += 1
        let name = notification.payload["name"]?.string ?? ""
        let sequence = notification.sequence
        guard let modeled = items[name] else {
            return report("\(receiver) got \(notification.id) with the name '\(name)', and nobody sent it")
        }
        identify(name, notification.id)
        deliveredIDs.insert(notification.id)
        if let end = ended[sequence], stream > end {
            report("\(name) (\(sequence)) came back after it was acknowledged")
        }
        if !modeled.item.devices.contains(where: { receivers[$0] == receiver }) {
            report("\(name), for \(modeled.item.devices), arrived at \(receiver)")
        }
        if let expiration = modeled.item.expiration, expiration > 0, expiration <= streams[stream] {
            report("\(name) expired at \(expiration), and arrived on a stream that began at \(streams[stream])")
        }
        guard let earlier = deliveries[sequence] else { return deliverFirst(notification, modeled, to: receiver) }
        duplicates += 1
        var (first, second) = (earlier, notification)
        // A notification moves with its device to another token.
        (first.token, second.token) = ("", "")
        if first != second { report("sequence \(sequence) has changed: \(first), \(second)") }
    }

    private mutating func deliverFirst(
        _ notification: DeliveredNotification,
        _ modeled: ModeledItem,
        to receiver: String
    ) {
        let (name, sequence) = (modeled.item.name, notification.sequence)
        deliveries[sequence] = notification
        items[name]?.sequences.insert(sequence)
        if modeled.sequences.count >= modeled.maximum {
            report("\(name) arrived with sequence \(sequence), one of more than \(modeled.maximum) that were possible")
        }
        guard !modeled.item.isTransient else { return }
        let last = lastSequences[receiver] ?? 0
        if sequence < last { report("\(receiver) first got sequence \(last), and then \(sequence) (\(name))") }
        lastSequences[receiver] = max(last, sequence)
    }

    /// Returns the names of the confirmed items that a receiver must get and did not.
    func undelivered(to receiver: String) -> [String] {
        items.values.filter { modeled in
            modeled.minimum > 0 && modeled.item.isPlain && modeled.sequences.isEmpty
                && modeled.item.devices.contains { receivers[$0] == receiver }
        }.map(\.item.name)
    }

    /// Records a notification in the journal of an agent that is another process.
    mutating func journal(_ id: NotificationID) {
        deliveredIDs.insert(id)
    }

    /// Records acknowledgements that have no answer.
    mutating func acknowledgeWithoutAnswer(_ sequences: [Int], by receiver: String) {
        unconfirmed[receiver, default: []].formUnion(sequences)
    }

    /// Records the answer to an acknowledgement of sequences that arrived on a stream.
    ///
    /// - Parameters:
    ///   - sequences: The sequences.
    ///   - isExact: Whether the request lists them. `upTo` also covers sequences that were acknowledged in lines of the
    ///     session and are not removed yet.
    ///   - count: The number in the answer.
    ///   - receiver: The receiver.
    ///   - stream: The number of the stream.
    mutating func acknowledge(
        _ sequences: [Int],
        isExact: Bool = true,
        count: Int,
        by receiver: String,
        on stream: Int
    ) {
        operations += 1
        let earlier = unconfirmed[receiver] ?? []
        let maximum = sequences.count + (isExact ? 0 : earlier.subtracting(sequences).count)
        let minimum = Set(sequences).count { !earlier.contains($0) && ended[$0] == nil && isPlain($0) }
        if count < minimum || count > maximum {
            let expected = "\(minimum) to \(maximum)"
            report("\(receiver) acknowledged \(sequences), and the answer counts \(count) instead of \(expected)")
        }
        if count == sequences.count, isExact || earlier.isEmpty {
            acknowledged.formUnion(sequences.filter { !isTransient($0) })
        }
        for sequence in sequences where ended[sequence] == nil { ended[sequence] = stream }
    }

    private func item(of sequence: Int) -> CrashItem? {
        deliveries[sequence].flatMap { items[$0.payload["name"]?.string ?? ""]?.item }
    }

    private func isPlain(_ sequence: Int) -> Bool {
        item(of: sequence)?.isPlain == true
    }

    private func isTransient(_ sequence: Int) -> Bool {
        item(of: sequence)?.isTransient == true
    }
}

/// The times between which a manual clock is.
private struct ClockBounds: Sendable, CustomStringConvertible {
    /// The latest time that an answer confirmed.
    var confirmed: Timestamp

    /// The latest time that was requested.
    var possible: Timestamp

    var description: String {
        "between \(confirmed.rawValue) and \(possible.rawValue)"
    }
}
