import GatewayStore
import Testing
import WaypostSchema
import WaypostTestSupport

/// A random walk of records and of the oracle, which must go alike.
struct RecordsWalk {
    static let agents: [DeviceToken: AgentSecret] = ["a1": "a", "a2": "a", "b1": "b", "c1": "c"]
    private static let topics: [Topic] = ["clowns", "notes"]

    var records = GatewayRecords()
    var oracle = RecordsOracle(agents: agents)
    var comment: Comment = ""
    private let seed: UInt64
    private var random: SeededGenerator
    private var now = Timestamp.noon
    private var connected: Set<AgentSecret> = []
    private var lastSequence = 0
    private var count = 0

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    /// Takes one step and expects that the records answer as the oracle does.
    mutating func step() throws {
        let kind = Int.random(in: 0..<20, using: &random)
        let agent: AgentSecret = element(of: ["a", "a", "b", "c"])
        comment = "seed \(seed), step \(count), kind \(kind), agent \(agent.rawValue), at \(now.rawValue) ms"
        count += 1
        switch kind {
        case 0: register()
        case 1..<9: try append()
        case 9..<13: try read(agent)
        case 13..<15: try acknowledgeSome(agent)
        case 15: try acknowledgeRange(agent)
        case 16..<18: now = Timestamp(milliseconds: now.rawValue + Int.random(in: 0...1_500, using: &random))
        case 18: connected.insert(agent)
        default: try disconnect(agent)
        }
        try learnSequences()
    }

    /// The sequences that any agent may name, those that never were among them.
    private mutating func sequence() -> Int {
        Int.random(in: -1...(lastSequence + 2), using: &random)
    }

    private mutating func element<Element>(of choice: [Element]) -> Element {
        choice[Int.random(in: choice.indices, using: &random)]
    }

    private mutating func register() {
        let token = element(of: Self.agents.keys.sorted { $0.rawValue < $1.rawValue })
        let topics = element(of: [Self.topics, Self.topics, [Self.topics[0]]])
        if let agent = Self.agents[token] { records.register(token, topics: topics, secret: agent) }
        oracle.register(token, topics)
    }

    private mutating func append() throws {
        let batch = BatchID(rawValue: "batch \(count)")
        let notifications = (0..<element(of: [0, 1, 1, 2, 3, 5])).map { notification("\(count)-\($0)") }
        let got = records.append(notifications, batch: batch, rejected: 0, isConnected: connected.contains, at: now)
        let expected = oracle.append(notifications, batch: batch, connected: connected, at: now)
        try #require(got.refusals == expected.refusals, comment)
        try #require(got.changes.batches == expected.changes.batches, comment)
        try #require(got.changes.agents == expected.changes.agents, comment)
    }

    private mutating func notification(_ id: String) -> NewNotification {
        let second = now.rawValue / 1_000
        let expirations = [nil, nil, nil, 0, second - 1, second, second + 1, second + 2, second + 5, second + 10]
        return .example(
            NotificationID(rawValue: id),
            to: element(of: ["a1", "a1", "a2", "b1", "b1", "c1", "nobody"]),
            for: element(of: Self.topics + ["clowns"]),
            expiration: element(of: expirations),
            collapseID: element(of: [nil, nil, nil, "x", "y", "z"])
        )
    }

    private mutating func read(_ agent: AgentSecret) throws {
        let cursor = element(of: [0, sequence()])
        let limit = element(of: [0, 1, 3, 10, .max])
        let (page, changes) = records.read(agent, after: cursor, limit: limit, at: now)
        let expired = oracle.expire(agent, at: now)
        let expected = oracle.inbox(agent).filter { $0.sequence ?? 0 > cursor }.prefix(limit)
        try #require(changes == GatewayRecords.Changes(batches: expired), comment)
        try #require(page.map(\.notification) == expected.map(\.notification), comment)
        try #require(page.map(\.batch) == expected.map(\.batch), comment)
    }

    private mutating func acknowledgeSome(_ agent: AgentSecret) throws {
        let sequences = (0..<Int.random(in: 0...20, using: &random)).map { _ in sequence() }
        let (count, changes) = records.acknowledge(agent, sequences)
        let expected = oracle.acknowledge(agent, where: sequences.contains)
        try #require(count == expected.0, comment)
        try #require(changes == GatewayRecords.Changes(batches: expected.1), comment)
    }

    private mutating func acknowledgeRange(_ agent: AgentSecret) throws {
        let low = sequence()
        let range = low...(low + Int.random(in: 0...30, using: &random))
        let (count, changes) = records.acknowledge(agent, in: range)
        let expected = oracle.acknowledge(agent, where: range.contains)
        try #require(count == expected.0, comment)
        try #require(changes == GatewayRecords.Changes(batches: expected.1), comment)
    }

    private mutating func disconnect(_ agent: AgentSecret) throws {
        guard connected.remove(agent) != nil else { return }
        let changes = records.dropNowOrNever(of: agent)
        try #require(changes == GatewayRecords.Changes(batches: oracle.drop(agent)), comment)
    }

    /// Expects that what is new in the inboxes has greater sequences than all before.
    private mutating func learnSequences() throws {
        let known = Set(oracle.stored.compactMap(\.sequence))
        let arrived = ["a", "b", "c"].flatMap { records.stored($0) }.filter { !known.contains($0.sequence) }
        try #require(arrived.allSatisfy { $0.sequence > lastSequence }, comment)
        for stored in arrived {
            oracle.note(stored.sequence, of: stored.notification.id)
            lastSequence = max(lastSequence, stored.sequence)
        }
    }
}
