/// The writer of each gateway, which makes the waiting changes in transactions.
extension SimulatedCluster {
    /// The maximum number of changes in one transaction.
    private static let groupLimit = 3

    /// Whether a gateway's writer can begin a transaction.
    func hasWork(at site: Int) -> Bool {
        guard let gateway = gateways[site] else { return false }
        return gateway.transaction == nil && !gateway.waiting.isEmpty
    }

    /// Whether a gateway's writer has much to do, so that clients wait.
    func isBusy(_ site: Int) -> Bool {
        (gateways[site]?.waiting.count ?? 0) >= Self.groupLimit
    }

    /// Whether the next statement of a gateway's transaction can run.
    func canRun(at site: Int) -> Bool {
        guard let transaction = gateways[site]?.transaction, !transaction.isCommitted else { return false }
        return transaction.waitsFor.map { database.holder(of: $0) == nil } ?? true
    }

    /// Begins a transaction with the first waiting changes.
    mutating func begin(at site: Int) {
        guard let waiting = gateways[site]?.waiting else { return }
        resolveCommit(at: site)
        let count = Int.random(in: 1...min(waiting.count, Self.groupLimit), using: &random)
        gateways[site]?.waiting.removeFirst(count)
        lastTransaction += 1
        let transaction = Transaction(lastTransaction, making: Array(waiting.prefix(count)), rules)
        gateways[site]?.transaction = transaction
        note("  transaction \(transaction.number): \(transaction.changes)")
    }

    /// Runs a statement of a gateway's transaction.
    mutating func run(at site: Int) throws(Violation) {
        guard var transaction = gateways[site]?.transaction, let handle = gateways[site]?.handle else { return }
        note("  transaction \(transaction.number): \(transaction.statement)")
        let outcome = try transaction.run(on: &database, in: handle)
        gateways[site]?.transaction = transaction
        switch outcome {
        case .done: break
        case .waits(let row):
            note("  waits for \(row)")
            if isDeadlock(transaction.number, waitingFor: row) {
                seen.insert("deadlock")
                loseTransaction(at: site)
            }
        case .expelled:
            seen.insert("expelled")
            database.rollBack(transaction.number)
            for change in transaction.changes { fail(change, at: site) }
            joinAgain(at: site)
        case .committed:
            for notification in transaction.accepted { accepted[notification.identity] = notification }
        }
    }

    /// Returns whether a transaction waits for itself, over others that wait.
    private func isDeadlock(_ transaction: Int, waitingFor row: Database.Row) -> Bool {
        var holder = database.holder(of: row)
        while let present = holder, present != transaction {
            let other = gateways.lazy.compactMap { $0?.transaction }.first { $0.number == present }
            holder = other?.waitsFor.flatMap { database.holder(of: $0) }
        }
        return holder == transaction
    }

    /// Begins the transaction that makes a process a new gateway.
    private mutating func joinAgain(at site: Int) {
        lastTransaction += 1
        gateways[site]?.unresolvedCommit = nil
        gateways[site]?.transaction = Transaction(joiningAs: lastTransaction, rules)
    }

    /// Undoes a transaction; its changes are made again.
    mutating func loseTransaction(at site: Int) {
        guard let transaction = gateways[site]?.transaction, let handle = gateways[site]?.handle,
            !transaction.isCommitted
        else { return }
        database.rollBack(transaction.number)
        gateways[site]?.transaction = nil
        let changes = transaction.changes.isEmpty ? [.joinAgain(replacing: handle.gateway)] : transaction.changes
        gateways[site]?.waiting.insert(contentsOf: changes, at: 0)
    }

    /// Reports to the caller of a change that it has failed, or that its outcome is unknown.
    mutating func fail(_ change: Change, at site: Int) {
        switch change {
        case .append, .acknowledge, .sweep, .cleanUpAfterEndedGateways, .joinAgain: break
        case .open(let agent, let connection):
            gateways[site]?.endOpening(agent)
            connections[connection]?.isEnded = true
            // The session may be open, so the former one may have ended.
            endStream(of: agent, at: site)
        case .close, .settle: gateways[site]?.waiting.append(change)
        case .take(let page, _): failPage(page, at: site)
        }
    }

    /// Answers the callers of a committed transaction.
    mutating func answer(at site: Int) {
        guard let transaction = gateways[site]?.transaction else { return }
        gateways[site]?.transaction = nil
        gateways[site]?.handle.commits += 1
        for effect in transaction.effects { carryOut(effect, at: site) }
    }

    /// Carries out an effect of a committed transaction.
    mutating func carryOut(_ effect: Effect, at site: Int) {
        switch effect {
        case .handOver(let notifications): handOver(notifications, at: site)
        case .nudge(let agents):
            if !agents.isEmpty { seen.insert("nudge") }
            for agent in agents { gateways[site]?.streams[agent]?.recordNew() }
        case .tellOthers(let event): tellOthers(event, from: site)
        case .opened(let agent, let epoch, let connection):
            let session = GatewayProcess.Opened(agent: agent, epoch: epoch, connection: connection)
            gateways[site]?.opened.append(session)
        case .outdated(let ends): gateways[site]?.waiting.append(.settle(ends))
        case .acknowledged(let agent, let notifications):
            let sequences = notifications.map(\.sequence)
            let ended = gateways[site]?.streams[agent]?.acknowledge(sequences) ?? []
            settle(ended, as: .acknowledged, at: site)
        case .forget(let notifications):
            if !notifications.isEmpty { seen.insert("expired") }
            for notification in notifications {
                gateways[site]?.streams[notification.agent]?.forget([notification.sequence])
            }
        case .taken(let page, let sequences): gateways[site]?.take(sequences, of: page, rules)
        case .cleanedUpAfterEndedGateways(let count):
            if count > 0 {
                seen.insert("cleaned up after ended gateways")
                gateways[site]?.waiting.append(.cleanUpAfterEndedGateways)
            }
        case .rejoined(let number):
            gateways[site]?.handle.gateway = number
            gateways[site]?.events.append(.expelled)
        }
    }

    /// Has the ends of transient notifications stored.
    mutating func settle(_ notifications: [Notification], as end: Tables.End, at site: Int) {
        guard !notifications.isEmpty else { return }
        gateways[site]?.waiting.append(.settle(notifications.map { Settlement(notification: $0, end: end) }))
    }
}
