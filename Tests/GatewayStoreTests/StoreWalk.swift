import GatewayStore
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import StoreTestSupport

/// A random walk of a store and of the oracle, which must agree at every step.
final class StoreWalk {
    /// A kind of step.
    enum Step: CaseIterable {
        case register, changeTopics, changePower, changeStanding, rotate, purgeInbox, chooseStorage
        case append, connect, disconnect, read, acknowledge, settle, note, readLog
        case expire, moveClock, setClock, lookUp, reset, reopen

        /// The frequency of the step, relative to the others.
        fileprivate var weight: Int {
            switch self {
            case .append: 24
            case .readLog: 16
            case .acknowledge, .read, .moveClock: 8
            case .register, .changePower, .connect, .disconnect, .expire, .settle, .note: 4
            case .chooseStorage: 6
            case .changeTopics, .changeStanding, .rotate, .purgeInbox, .lookUp: 3
            case .setClock, .reopen, .reset: 1
            }
        }

        fileprivate static let weighted = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    }

    static let namespaces: [Namespace] = [.standard, "other"]
    static let topics: [Topic] = ["clowns", "notes", .messages]

    /// Two places in one trace, and one in another.
    static let traces = ["aa-b1", "aa-b2", "cc-b3"].map { text in
        let parts = text.split(separator: "-").map(String.init)
        let (trace, span) = (String(repeating: parts[0], count: 16), String(repeating: parts[1], count: 8))
        return TraceParent(rawValue: "00-\(trace)-\(span)-01")
    }

    let session: StoreSession
    var oracle = StoreOracle()
    var random: SeededGenerator
    var now = Timestamp.seconds(1_000_000_000)

    /// The sessions that were opened, some of which are no longer current.
    var epochs: [(agent: AgentID, epoch: SessionEpoch)] = []

    /// The transient notifications that are not settled.
    var deliveries: [StreamDelivery] = []

    /// The sequences that the store returned, by rank.
    var sequences: [Int: Int] = [:]
    /// The ranks of these sequences.
    var ranks: [Int: Int] = [:]

    /// The sequences that were acknowledged.
    var acknowledged: Set<Int> = []

    /// The greatest numbers that the store assigned to agents, batches and log entries.
    var lastAgent = 0
    var lastBatch = BatchNumber(rawValue: 0)

    var lastSequence = 0

    /// The uncommon outcomes that have occurred.
    var seen: Set<String> = []

    private(set) var comment: Comment = ""
    private(set) var count = 0
    private let seed: UInt64

    init(_ engine: StoreEngine, seed: UInt64) async throws {
        self.seed = seed
        session = try await StoreSession(engine)
        random = SeededGenerator(seed: seed)
    }

    var store: any GatewayStore {
        session.store
    }

    /// Takes one step, and expects the same answers and contents of the store and the oracle.
    func step() async throws {
        count += 1
        let step = element(of: Step.weighted)
        let namespace = element(of: [Self.namespaces[0], Self.namespaces[0], Self.namespaces[1]])
        comment = "seed \(seed), step \(count), \(step) in \(namespace.rawValue) at \(now.rawValue) ms"
        oracle.now = now
        try await take(step, in: namespace)
        try await checkInboxes()
        try await checkTouchedBatches()
        try await checkTouchedLines()
    }

    private func take(_ step: Step, in namespace: Namespace) async throws {
        switch step {
        case .register: try await register(in: namespace)
        case .changeTopics: try await changeTopics(in: namespace)
        case .changePower: try await changePower(in: namespace)
        case .changeStanding: try await changeStanding(in: namespace)
        case .rotate: try await rotate(in: namespace)
        case .purgeInbox: try await purgeInbox(in: namespace)
        case .chooseStorage: try await chooseStorage(in: namespace)
        case .append: try await append(to: namespace)
        case .connect: try await connect(in: namespace)
        case .disconnect: try await disconnect(in: namespace)
        case .read: try await read(in: namespace)
        case .acknowledge: try await acknowledge(in: namespace)
        case .settle: try await settle()
        case .note: try await note(in: namespace)
        case .readLog: try await readLog(of: namespace)
        case .expire: try await expire(namespace)
        case .moveClock: moveClock()
        case .setClock: try await setClock(of: namespace)
        case .lookUp:
            try await checkLookUps(in: namespace)
            try await rotateSecrets(in: namespace)
            try await checkLog(of: namespace)
        case .reset: try await reset(namespace)
        case .reopen: try reopen()
        }
    }

    func element<Element>(of choice: [Element]) -> Element {
        choice[Int.random(in: choice.indices, using: &random)]
    }

    func isLucky(_ one: Int, in many: Int) -> Bool {
        Int.random(in: 0..<many, using: &random) < one
    }

    /// Returns an agent of a namespace, or `nil` if there is none.
    func agent(in namespace: Namespace) -> AgentID? {
        let agents = oracle.agents.values.filter { $0.namespace == namespace }.sorted { $0.number < $1.number }
        return agents.isEmpty ? nil : element(of: agents)
    }

    /// Returns a token of a namespace: usually a valid one, and occasionally one that no device has.
    func token(in namespace: Namespace) -> DeviceToken {
        let isActive = isLucky(4, in: 5)
        let tokens = oracle.devices.filter {
            $0.key.namespace == namespace && ($0.value.standing == .active || !isActive)
        }
        .map(\.key.name).sorted { $0.rawValue < $1.rawValue }
        return tokens.isEmpty || isLucky(1, in: 12) ? "nobody" : element(of: tokens)
    }

    /// Returns a set of topics, usually all.
    func someTopics() -> Set<Topic> {
        isLucky(2, in: 3) ? Set(Self.topics) : Set(Self.topics.filter { _ in isLucky(1, in: 2) })
    }

    private func moveClock() {
        let (second, day) = (1_000, 86_400_000)
        let steps = [0, 1, 700, second, 5 * second, 5 * second, 60 * second, day, 3 * day, 8 * day]
        let back = [-1, -second, -10 * second, -day]
        now.rawValue += element(of: isLucky(1, in: 5) ? back : steps)
    }

    private func reopen() throws {
        guard session.outlivesItsProcess else { return }
        seen.insert("reopen")
        try session.reopen()
        oracle.reopen()
        epochs = []
        deliveries = []
    }
}
