/// The heartbeat of a gateway, which also checks the other gateways.
struct GatewayHeartbeat {
    /// The statement that comes next.
    enum Phase {
        case beat
        case check

        /// Removes gateways whose beats are still those that were seen.
        case remove([Int: Int])

        /// Finds sessions that may be behind, streams without sessions, and sessions without streams.
        case findLate
    }

    /// The number of checks without a new beat after which a gateway has ended.
    ///
    /// Real gateways have a higher limit. With this one, gateways are often taken for dead too early.
    static let maximumMissedBeats = 2

    /// The number of checks for each full check; fewer than in real gateways.
    static let fullCheckInterval = 3

    var phase = Phase.beat

    /// The gateway whose beat this is; the process may join again in the meantime.
    var gateway = 0

    private var checks = 0
    private var lastBeats: [Int: (beats: Int, missedBeats: Int)] = [:]

    /// Whether the present check also finds events that the gateway may have missed.
    var needsFullCheck: Bool {
        checks.isMultiple(of: Self.fullCheckInterval)
    }

    /// Records the beats of the other gateways, and returns those of the gateways that have ended.
    mutating func recordBeats(_ beats: [Int: Int]) -> [Int: Int] {
        checks += 1
        lastBeats = beats.reduce(into: [:]) { next, member in
            let before = lastBeats[member.key]
            next[member.key] = (member.value, before?.beats == member.value ? (before?.missedBeats ?? 0) + 1 : 0)
        }
        return beats.filter { (lastBeats[$0.key]?.missedBeats ?? 0) >= Self.maximumMissedBeats }
    }
}

/// The heartbeat of each gateway.
extension SimulatedCluster {
    /// Runs the next statement of a gateway's heartbeat.
    mutating func runHeartbeat(at site: Int) {
        guard let gateway = gateways[site] else { return }
        switch gateway.heartbeat.phase {
        case .beat:
            let number = gateway.handle.gateway
            if database.tables.beats[number] != nil { database.change { $0.beats[number, default: 0] += 1 } }
            gateways[site]?.heartbeat.gateway = number
            gateways[site]?.heartbeat.phase = .check
            // An unresolved commit is resolved by the next transaction, so there must be one.
            if gateway.unresolvedCommit != nil, gateway.waiting.isEmpty { gateways[site]?.waiting.append(.settle([])) }
        case .check: check(at: site)
        case .remove(let ended): remove(ended, at: site)
        case .findLate: findLate(at: site)
        }
    }

    /// Whether a gateway's heartbeat is between two beats.
    func isHeartbeatIdle(at site: Int) -> Bool {
        if case .beat = gateways[site]?.heartbeat.phase { true } else { false }
    }

    private mutating func check(at site: Int) {
        guard let number = gateways[site]?.heartbeat.gateway else { return }
        let others = database.tables.beats.filter { $0.key != number }
        let ended = gateways[site]?.heartbeat.recordBeats(others) ?? [:]
        gateways[site]?.heartbeat.phase = .remove(ended)
    }

    private mutating func remove(_ ended: [Int: Int], at site: Int) {
        guard let heartbeat = gateways[site]?.heartbeat else { return }
        let beats = database.tables.beats
        let removed = ended.filter { beats[$0.key] == $0.value }.keys
        if !removed.isEmpty {
            seen.insert("removed gateway")
            database.change { tables in
                for gateway in removed { tables.beats[gateway] = nil }
            }
        }
        gateways[site]?.heartbeat.phase = heartbeat.needsFullCheck ? .findLate : .beat
        guard beats[heartbeat.gateway] != nil else {
            gateways[site]?.heartbeat.phase = .beat
            gateways[site]?.waiting.append(.joinAgain(replacing: heartbeat.gateway))
            return
        }
        let leads = beats.keys.filter { ended[$0] == nil }.min() == heartbeat.gateway
        if !removed.isEmpty || heartbeat.needsFullCheck && leads {
            gateways[site]?.waiting.append(.cleanUpAfterEndedGateways)
        }
    }

    private mutating func findLate(at site: Int) {
        guard let number = gateways[site]?.heartbeat.gateway else { return }
        gateways[site]?.heartbeat.phase = .beat
        let late = database.tables.sessions.filter { $0.value.gateway == number }
            .compactMap { agent, session in session.late.map { (agent: agent, sequence: $0) } }
            .sorted { $0.agent < $1.agent }
        if !late.isEmpty { gateways[site]?.events.append(.behind(late)) }
        if !rules.has(.outdatedStreamStays) { endOutdatedStreams(at: site) }
        closeSessionsWithoutStreams(at: site)
    }
}
