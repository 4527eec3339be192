/// Faults.
extension SimulatedCluster {
    /// Starts a gateway.
    mutating func start(at site: Int) {
        database.counters.handle += 1
        database.counters.gateway += 1
        let handle = GatewayProcess.Handle(number: database.counters.handle, gateway: database.counters.gateway)
        database.change { tables in
            tables.beats[handle.gateway] = 0
            tables.handles[handle.number] = Tables.Handle(gateway: handle.gateway)
        }
        gateways[site] = GatewayProcess(handle)
        note("  handle \(handle.number) of gateway \(handle.gateway)")
    }

    /// Ends a gateway at once.
    mutating func kill(at site: Int) {
        if let transaction = gateways[site]?.transaction, !transaction.isCommitted {
            database.rollBack(transaction.number)
        }
        gateways[site] = nil
        messages.removeAll { $0.site == site }
        let losesRest = isLucky(1, in: 2)
        for number in connections.keys where connections[number]?.site == site {
            connections[number]?.isEnded = true
            if losesRest { connections[number]?.inTransit = [] }
        }
    }

    /// Whether the database ends a gateway's transaction, because the gateway is paused in the middle of it.
    func isIdleInTransaction(at site: Int) -> Bool {
        guard let gateway = gateways[site], gateway.isPaused else { return false }
        return gateway.transaction?.isCommitted == false
    }

    /// Cuts the connection on which a gateway gets events; it opens another one.
    mutating func loseEvents(at site: Int) {
        messages.removeAll { $0.site == site }
        gateways[site]?.events.append(.gap)
    }

    /// Lets a replica take over that lacks some commits; all gateways connect to it.
    mutating func failOver() {
        seen.insert("fail-over")
        let lost = Int.random(in: 1...database.commitsToLose, using: &random)
        for site in runningSites { loseTransaction(at: site) }
        database.failOver(losing: lost, jumps: !rules.has(.noJump))
        note("  \(lost) commits are lost")
        accepted = accepted.filter { database.tables.hasKnown($0.value) }
        for site in runningSites { gateways[site]?.events.append(.gap) }
    }

    /// Ends all pauses; gateways that have ended stay so, unless none is left.
    ///
    /// Some faults happen once more, so that little repairs what they have done.
    mutating func stopFaults() {
        if kinds.contains(.kill), let site = element(of: runningSites) { kill(at: site) }
        if kinds.contains(.failOver), database.commitsToLose > 0 { failOver() }
        if kinds.contains(.lose) { messages = messages.shuffled(using: &random).suffix(messages.count / 2) }
        for site in runningSites { gateways[site]?.isPaused = false }
        if runningSites.isEmpty { start(at: 0) }
    }
}

/// Commits whose connection is lost, so that the gateway does not get the answer.
extension SimulatedCluster {
    /// Whether a gateway's transaction is about to be committed.
    func isCommitting(at site: Int) -> Bool {
        guard let transaction = gateways[site]?.transaction, !transaction.isCommitted else { return false }
        if case .commit = transaction.statement { return true }
        return false
    }

    /// Loses the connection during a commit, which may take place, and perhaps finds out whether it has.
    mutating func loseCommit(at site: Int) throws(Violation) {
        guard let transaction = gateways[site]?.transaction else { return }
        let isCommitted = isLucky(1, in: 2)
        if isCommitted { try run(at: site) } else { database.rollBack(transaction.number) }
        let canConnect = isLucky(1, in: 2)
        guard canConnect, let handle = gateways[site]?.handle, let row = database.tables.handles[handle.number] else {
            return reportUnknown(at: site)
        }
        let seemsCommitted = row.commits == handle.commits + 1
        guard seemsCommitted == isCommitted else {
            throw Violation("transaction \(transaction.number) seems committed: \(seemsCommitted)")
        }
        if !seemsCommitted { loseTransaction(at: site) }
    }

    /// Reports to the callers of a transaction that its outcome is unknown.
    private mutating func reportUnknown(at site: Int) {
        guard let transaction = gateways[site]?.transaction else { return }
        seen.insert("unknown outcome")
        gateways[site]?.transaction = nil
        gateways[site]?.unresolvedCommit = transaction
        for change in transaction.changes { fail(change, at: site) }
    }

    /// Finds out whether a transaction took place whose outcome was unknown, and passes its results on.
    mutating func resolveCommit(at site: Int) {
        guard let unresolvedCommit = gateways[site]?.unresolvedCommit, let handle = gateways[site]?.handle,
            let row = database.tables.handles[handle.number]
        else { return }
        gateways[site]?.unresolvedCommit = nil
        guard row.commits == handle.commits + 1, !rules.has(.unresolvedCommitStays) else { return }
        seen.insert("resolved commit")
        gateways[site]?.handle.commits += 1
        for effect in unresolvedCommit.effects where effect.needsNoCaller { carryOut(effect, at: site) }
        gateways[site]?.events.append(.gap)
    }
}
