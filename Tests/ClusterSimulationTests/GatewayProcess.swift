/// A running gateway: the changes that it makes, and what it keeps in memory.
struct GatewayProcess {
    /// The knowledge of the process about its row in the database.
    struct Handle {
        let number: Int

        /// The number of the gateway, to which sessions belong.
        var gateway: Int

        /// The number of transactions that were committed, without one whose outcome is unknown.
        var commits = 0
    }

    /// The sessions of an agent that are being opened, and the latest session that is known in the meantime.
    private struct Openings {
        var count = 0
        var latest = 0
    }

    /// A session in the database whose stream is not open yet.
    struct Opened {
        var agent: Int
        var epoch: Int
        var connection: Int
    }

    var handle: Handle
    var isPaused = false

    /// The changes that wait for the writer, and the writer's transaction.
    var waiting: [Change] = []
    var transaction: Transaction?

    /// A transaction whose outcome is unknown.
    var unresolvedCommit: Transaction?

    /// The open streams by agent.
    var streams: [Int: DeviceStream] = [:]
    var opened: [Opened] = []
    private var openings: [Int: Openings] = [:]

    /// The pages that are being read, by number.
    var pages: [Int: Page] = [:]

    /// The events of its own store.
    var events: [Event] = []

    var heartbeat = GatewayHeartbeat()

    /// Creates a process without streams.
    init(_ handle: Handle) {
        self.handle = handle
    }
}

/// Opening streams.
extension GatewayProcess {
    /// Records that a session of an agent is being opened.
    mutating func beginOpening(_ agent: Int) {
        openings[agent, default: Openings()].count += 1
    }

    /// Records that a session that was being opened has a stream, or gets none.
    mutating func endOpening(_ agent: Int) {
        openings[agent]?.count -= 1
        if openings[agent]?.count == 0 { openings[agent] = nil }
    }

    /// Whether a session of an agent is being opened.
    func isOpening(_ agent: Int) -> Bool {
        openings[agent] != nil
    }

    /// Records that a session of an agent is open; returns the epoch of an earlier session's stream.
    mutating func recordSession(_ agent: Int, _ epoch: Int) -> Int? {
        if let opening = openings[agent] { openings[agent]?.latest = max(opening.latest, epoch) }
        guard let stream = streams[agent], stream.epoch < epoch else { return nil }
        return stream.epoch
    }

    /// Returns whether a later session of the agent is known.
    func isOutdated(_ session: Opened) -> Bool {
        max(openings[session.agent]?.latest ?? 0, streams[session.agent]?.epoch ?? 0) > session.epoch
    }
}
