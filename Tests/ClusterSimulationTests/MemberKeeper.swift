/// The part of a gateway that shows that it is alive, and looks at the others.
struct MemberKeeper {
    /// The statement that comes next.
    enum Phase {
        case beat
        case look

        /// Removes gateways whose beats are still those that were seen.
        case remove([Int: Int])

        /// Finds sessions that may be behind, streams without sessions, and sessions without streams.
        case findLate
    }

    /// The number of looks after which a gateway without new beats has ended.
    ///
    /// Real gateways have a higher limit. With this one, gateways are often taken for dead too early.
    static let looks = 2

    /// How many looks there are for each thorough one; fewer than in real gateways.
    static let thoroughInterval = 3

    var phase = Phase.beat

    /// The gateway whose beat this is; the process may join again in the meantime.
    var gateway = 0

    private var looks = 0
    private var seen: [Int: (beats: Int, looks: Int)] = [:]

    /// Whether the present look also searches for what may have been missed.
    var isThorough: Bool {
        looks.isMultiple(of: Self.thoroughInterval)
    }

    /// Records the beats of the other gateways, and returns those of the gateways that have ended.
    mutating func look(at beats: [Int: Int]) -> [Int: Int] {
        looks += 1
        seen = beats.reduce(into: [:]) { next, member in
            let before = seen[member.key]
            next[member.key] = (member.value, before?.beats == member.value ? (before?.looks ?? 0) + 1 : 0)
        }
        return beats.filter { (seen[$0.key]?.looks ?? 0) >= Self.looks }
    }
}

/// The keeper of each gateway.
extension SimulatedCluster {
    /// Runs the next statement of a gateway's keeper.
    mutating func keep(at site: Int) {
        guard let gateway = gateways[site] else { return }
        switch gateway.keeper.phase {
        case .beat:
            let number = gateway.lane.gateway
            if database.tables.beats[number] != nil { database.change { $0.beats[number, default: 0] += 1 } }
            gateways[site]?.keeper.gateway = number
            gateways[site]?.keeper.phase = .look
            // A doubt is resolved by the next transaction, so there must be one.
            if gateway.doubt != nil, gateway.waiting.isEmpty { gateways[site]?.waiting.append(.settle([])) }
        case .look: look(at: site)
        case .remove(let ended): remove(ended, at: site)
        case .findLate: findLate(at: site)
        }
    }

    /// Whether a gateway's keeper is between two looks.
    func isKeeperIdle(at site: Int) -> Bool {
        if case .beat = gateways[site]?.keeper.phase { true } else { false }
    }

    private mutating func look(at site: Int) {
        guard let number = gateways[site]?.keeper.gateway else { return }
        let others = database.tables.beats.filter { $0.key != number }
        let ended = gateways[site]?.keeper.look(at: others) ?? [:]
        gateways[site]?.keeper.phase = .remove(ended)
    }

    private mutating func remove(_ ended: [Int: Int], at site: Int) {
        guard let keeper = gateways[site]?.keeper else { return }
        let beats = database.tables.beats
        let removed = ended.filter { beats[$0.key] == $0.value }.keys
        if !removed.isEmpty {
            seen.insert("removed gateway")
            database.change { tables in
                for gateway in removed { tables.beats[gateway] = nil }
            }
        }
        gateways[site]?.keeper.phase = keeper.isThorough ? .findLate : .beat
        guard beats[keeper.gateway] != nil else {
            gateways[site]?.keeper.phase = .beat
            gateways[site]?.waiting.append(.joinAgain(insteadOf: keeper.gateway))
            return
        }
        let leads = beats.keys.filter { ended[$0] == nil }.min() == keeper.gateway
        if !removed.isEmpty || keeper.isThorough && leads { gateways[site]?.waiting.append(.settleDepartures) }
    }

    private mutating func findLate(at site: Int) {
        guard let number = gateways[site]?.keeper.gateway else { return }
        gateways[site]?.keeper.phase = .beat
        let late = database.tables.sessions.filter { $0.value.gateway == number }
            .compactMap { agent, session in session.late.map { (agent: agent, sequence: $0) } }
            .sorted { $0.agent < $1.agent }
        if !late.isEmpty { gateways[site]?.events.append(.behind(late)) }
        if !rules.has(.outdatedStreamStays) { endOutdatedStreams(at: site) }
        closeSessionsWithoutStreams(at: site)
    }
}
