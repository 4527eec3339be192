import GatewayClient
import WaypostSchema
import WaypostTestSupport

/// Streams, deliveries and acknowledgements of one agent from many connections at once.
///
/// The agent opens streams at the same time, of which one stays. Senders send to its two devices, some of them with the
/// same `apns-id`, and in half of the races other streams are opened meanwhile. Then all connections acknowledge the
/// same items, and a last stream shows what is left.
struct DeliveryRace: Sendable {
    private let namespace: Namespace
    private let ready: GatewayReadyFile
    private let clients: TrialClients
    private let violations: SharedViolations

    /// Creates the race of a namespace that does not exist yet.
    init(_ namespace: Namespace, of ready: GatewayReadyFile, clients: TrialClients) {
        (self.namespace, self.ready, self.clients) = (namespace, ready, clients)
        violations = SharedViolations(in: "namespace \(namespace)")
    }

    /// Runs the race, and checks it.
    func run(seed: UInt64) async throws -> TrialOutcome {
        var generator = SeededGenerator(seed: seed)
        let first = try await client.register(registration(named: "iPad", of: nil))
        let second = try await client.register(registration(named: "iPhone", of: first.secret))
        let (tokens, secret) = ([first.token, second.token], first.secret)
        var outcome = TrialOutcome()
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            var streams = openStreams(RacesCampaign.connections, with: secret, in: &group)
            guard try await settle(streams) != nil else { return }
            if Bool.random(using: &generator) { streams += openStreams(8, with: secret, in: &group) }
            var sent = try await send(to: tokens, using: &generator)
            guard let stream = try await settle(streams) else { return }
            // Nothing but its own signal makes the stream send the last item.
            let last = try await send(batch: [TrialItems.id(using: &generator)], to: first.token)
            for id in last { sent[id, default: 0] += 1 }
            outcome.operations += sent.values.reduce(streams.count, +)
            guard try await checkDeliveries(on: stream, sent) else { return }
            let sequences = stream.notifications.keys.sorted()
            let acknowledged = try await acknowledge(sequences, with: secret, &outcome, using: &generator)
            try await checkRest(Set(sequences).subtracting(acknowledged), of: tokens, with: secret, in: &group)
        }
        outcome.violations = violations.all
        return outcome
    }

    private var client: GatewayClient {
        clients.client(of: ready, in: namespace)
    }

    private func registration(named name: String, of secret: BearerSecret?) -> DeviceRegistration {
        DeviceRegistration(name: name, topics: [TrialItems.topic], secret: secret)
    }

    // MARK: Streams

    /// Begins to open streams.
    private func openStreams(
        _ count: Int,
        with secret: BearerSecret,
        in group: inout ThrowingTaskGroup<Void, any Error>
    ) -> [RaceStream] {
        let streams = (0..<count).map { _ in RaceStream() }
        let client = client
        for stream in streams { group.addTask { await stream.follow(client, with: secret) } }
        return streams
    }

    /// Waits until all streams but one have ended.
    ///
    /// - Returns: The open stream; `nil` after a violation.
    private func settle(_ streams: [RaceStream]) async throws -> RaceStream? {
        let violation = try await TrialItems.violation(unless: "one of \(streams.count) streams is open") {
            streams.count(where: \.isOpen) == 1 && streams.count(where: \.hasEnded) == streams.count - 1
        }
        guard let violation else { return streams.first(where: \.isOpen) }
        let ends = streams.map { $0.isOpen ? "open" : $0.end ?? "opening" }
        violations.add("\(violation): \(ends.joined(separator: ", "))")
        return nil
    }

    // MARK: Items

    /// Sends items from all connections, half of them with the same identifier, by batches and by APNs' API.
    ///
    /// Meanwhile reports of the power of the devices make the stream read its inbox again and again, so that items
    /// arrive during a read.
    ///
    /// - Returns: The number of accepted items with each identifier.
    private func send(
        to tokens: [DeviceToken],
        using generator: inout SeededGenerator
    ) async throws -> [NotificationID: Int] {
        let shared = TrialItems.id(using: &generator)
        let plans = (0..<RacesCampaign.connections).map { connection in
            let token = tokens[Int.random(in: 0..<tokens.count, using: &generator)]
            let ids = (0..<3).map { _ in connection.isMultiple(of: 2) ? shared : TrialItems.id(using: &generator) }
            return (token: token, ids: ids, isProvider: connection.isMultiple(of: 4))
        }
        return try await withThrowingTaskGroup(of: [NotificationID].self) { group in
            for (token, ids, isProvider) in plans {
                group.addTask { try await isProvider ? push(ids, to: token) : send(ids, to: token) }
            }
            for token in tokens { group.addTask { try await reportPower(of: token) } }
            var counts: [NotificationID: Int] = [:]
            for try await ids in group { for id in ids { counts[id, default: 0] += 1 } }
            return counts
        }
    }

    /// Sends items with APNs' API, one after the other; returns the accepted ones.
    private func push(_ ids: [NotificationID], to token: DeviceToken) async throws -> [NotificationID] {
        var accepted: [NotificationID] = []
        for id in ids {
            let answer = try await clients.push(to: token, of: ready, id: id)
            if answer.status == 200 { accepted.append(id) }
            if answer.status != 200 || answer.id != id.rawValue {
                violations.add("apns-id \(id): status \(answer.status), apns-id \(answer.id ?? "absent")")
            }
        }
        return accepted
    }

    /// Reports that the power of a device is normal, many times.
    private func reportPower(of token: DeviceToken) async throws -> [NotificationID] {
        for _ in 0..<8 { _ = try await client.setPower(DevicePower(constrained: false), of: token) }
        return []
    }

    /// Sends items in one batch, or each in its own if they differ; returns the accepted ones.
    private func send(_ ids: [NotificationID], to token: DeviceToken) async throws -> [NotificationID] {
        let batches = Set(ids).count == 1 ? [ids] : ids.map { [$0] }
        var accepted: [NotificationID] = []
        for batch in batches { accepted += try await send(batch: batch, to: token) }
        return accepted
    }

    private func send(batch ids: [NotificationID], to token: DeviceToken) async throws -> [NotificationID] {
        let lines = ids.map { TrialItems.line(to: token, id: $0) }.joined()
        let receipt = try await client.send(Array(lines.utf8), allResults: true)
        if receipt.accepted != ids.count {
            violations.add("batch \(receipt.id): \(receipt.accepted) of \(ids.count) accepted")
        }
        return receipt.results.compactMap { $0.status == 200 ? $0.id : nil }
    }

    /// Checks that each accepted item arrives once, with a sequence of its own, on the stream that is open.
    ///
    /// The gateway passes an item to the stream before it answers the sender, so this takes no time. A stream that gets
    /// no signal reads its inbox only when something else happens.
    private func checkDeliveries(on stream: RaceStream, _ sent: [NotificationID: Int]) async throws -> Bool {
        let expected = sent.values.reduce(0, +)
        let violation = try await TrialItems.violation(unless: "the open stream got all \(expected) items") {
            stream.notifications.count >= expected
        }
        let arrived = Dictionary(grouping: stream.notifications.values) { $0 }.mapValues(\.count)
        if let violation {
            let absent = sent.filter { $0.value > arrived[$0.key, default: 0] }.keys.map(\.rawValue).sorted()
            violations.add("\(violation); absent: \(absent.joined(separator: ", "))")
        } else if arrived != sent {
            violations.add("items arrived \(arrived) times, and were accepted \(sent) times")
        }
        return arrived == sent
    }

    // MARK: Acknowledgements

    /// Acknowledges items from all connections, each its own part of them.
    ///
    /// - Returns: The acknowledged sequences.
    private func acknowledge(
        _ sequences: [Int],
        with secret: BearerSecret,
        _ outcome: inout TrialOutcome,
        using generator: inout SeededGenerator
    ) async throws -> Set<Int> {
        // A part stays, for the last stream.
        let limit = sequences[sequences.count * 3 / 4]
        let covered = sequences.filter { $0 < limit }
        let parts = (0..<RacesCampaign.connections).map { connection in
            let part = covered.filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
            // A cumulative one covers all up to its sequence.
            return connection == 0 ? Acknowledgement.upTo(covered[covered.count / 2]) : .sequences(part)
        }
        let client = client
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for part in parts { group.addTask { try await client.acknowledge(part, with: secret).acknowledged } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        outcome.operations += counts.count
        let acknowledged = parts.reduce(into: Set<Int>()) { all, part in
            switch part {
            case .upTo(let last): all.formUnion(covered.filter { $0 <= last })
            case .sequences(let part): all.formUnion(part)
            }
        }
        let sum = counts.reduce(0, +)
        if sum != acknowledged.count {
            violations.add("\(acknowledged.count) items were acknowledged, but the answers count \(sum): \(counts)")
        }
        return acknowledged
    }

    /// Checks that the inboxes and a new stream have what is left, and that a reset ends the stream.
    private func checkRest(
        _ rest: Set<Int>,
        of tokens: [DeviceToken],
        with secret: BearerSecret,
        in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        var stored: Set<Int> = []
        for token in tokens {
            let page = try await client.inbox(of: token, after: 0, limit: 1_000)
            stored.formUnion(page.notifications.map(\.notification.sequence))
        }
        if stored != rest { violations.add("the inboxes have \(stored.sorted()), not \(rest.sorted())") }
        guard let stream = openStreams(1, with: secret, in: &group).first else { return }
        let late = try await TrialItems.violation(unless: "a new stream gets the \(rest.count) items that are left") {
            stream.notifications.count >= rest.count
        }
        if let late { violations.add(late) }
        let returned = Set(stream.notifications.keys).subtracting(rest)
        if !returned.isEmpty { violations.add("acknowledged items came back: \(returned.sorted())") }
        try await client.reset(namespace)
        if let open = try await TrialItems.violation(unless: "the reset ends the stream", { stream.hasEnded }) {
            violations.add(open)
        } else if stream.end != "reset" {
            violations.add("the reset ended the stream with \(stream.end ?? "nothing")")
        }
    }
}
