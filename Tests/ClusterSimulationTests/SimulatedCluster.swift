import WaypostTestSupport

/// Several gateways, their database, the messages between them, and devices, as a value.
///
/// Each step is a statement, a message, or an action of a gateway or a device. The seed chooses the steps.
struct SimulatedCluster {
    /// A device, the only one of its agent.
    struct Device {
        /// Its connection, if it has one.
        var connection: Int?

        /// The notifications that it has received.
        var received: [Notification] = []
    }

    /// A connection of a device to a gateway.
    struct Connection {
        let agent: Int
        let site: Int

        /// The notifications on the way to the device.
        var inTransit: [Notification] = []

        /// Whether the gateway has ended the stream.
        var isEnded = false

        /// Whether the device has left; the gateway notices it later.
        var isLeft = false
    }

    /// An event on the way to another gateway.
    struct Message {
        var site: Int
        var event: Event
    }

    let rules: Rules
    var random: SeededGenerator
    var database = Database()

    /// The time on the clocks of all gateways, which agree.
    var clock = 0

    /// The running gateways by site; `nil` at a site whose gateway has ended.
    var gateways: [GatewayProcess?]

    /// The devices by agent.
    var devices: [Device]

    var connections: [Int: Connection] = [:]
    var messages: [Message] = []

    /// The notifications that the database has accepted, without those that a fail-over has lost, by identity.
    var accepted: [Int: Notification] = [:]

    /// The last numbers of notifications, connections, transactions and pages.
    var lastIdentity = 0
    var lastConnection = 0
    var lastTransaction = 0
    var lastPage = 0

    /// The uncommon outcomes that have occurred.
    var seen: Set<String> = []

    /// The kinds of steps of this round, each as often as it is frequent.
    private(set) var kinds: [Kind] = []

    /// The steps so far, one line each, if they are recorded.
    private(set) var trace: [String] = []
    private let isTraced: Bool

    /// Creates a cluster of two or three gateways.
    init(_ rules: Rules, seed: UInt64, isTraced: Bool = false) {
        self.rules = rules
        self.isTraced = isTraced
        random = SeededGenerator(seed: seed)
        gateways = Array(repeating: nil, count: Int.random(in: 2...3, using: &random))
        devices = Array(repeating: Device(), count: Int.random(in: 1...3, using: &random))
        for site in gateways.indices { start(at: site) }
    }

    /// Takes steps with some kinds of faults, and then lets the cluster come to rest.
    mutating func takeRound(of steps: Int) throws(Violation) {
        kinds = Kind.choose(&random)
        for _ in 0..<steps { try step() }
        try finish()
    }

    /// Adds a line to the trace.
    mutating func note(_ line: @autoclosure () -> String) {
        if isTraced { trace.append(line()) }
    }

    /// Returns whether something happens that has this probability.
    mutating func isLucky(_ one: Int, in many: Int) -> Bool {
        Int.random(in: 0..<many, using: &random) < one
    }

    /// Returns an element at random.
    mutating func element<Element>(of choice: [Element]) -> Element? {
        choice.randomElement(using: &random)
    }

    /// The sites whose gateways run and are not paused.
    var activeSites: [Int] {
        gateways.indices.filter { gateways[$0]?.isPaused == false }
    }

    /// The sites whose gateways run, perhaps paused.
    var runningSites: [Int] {
        gateways.indices.filter { gateways[$0] != nil }
    }
}
