package import GatewayStore
internal import Synchronization
package import WaypostSchema

/// The other gateways on the store.
extension PostgresStore {
    /// Always true: any number of gateways may use the database.
    package var isShared: Bool {
        true
    }

    /// Shows the other gateways that this one is alive.
    package func renew(as address: String?) async throws(StoreError) -> StoreMembers {
        exchange.questions.age()
        exchange.sendAgain()
        let gateway = handle.value.gateway
        let look = try await keeper.look(gateway, address)
        guard look.isMember else {
            try await writer.joinAgain(insteadOf: gateway)
            return look.members
        }
        due.withLock { due in
            due.departures = due.departures || look.removed > 0 || look.isThorough && look.members.leads
            due.late = due.late || look.isThorough
        }
        return look.members
    }

    /// The work that renewals have found, for `catchUp`.
    struct DueWork: Sendable {
        /// Whether there may be something of gateways that have ended.
        var departures = false

        /// Whether it is time to look for sessions that may have missed a nudge.
        var late = false
    }

    /// Settles what gateways have left that have ended; after every tenth renewal, also looks for what was missed.
    package func catchUp() async throws(StoreError) {
        let work = due.withLock { due in
            defer { due = DueWork() }
            return due
        }
        do throws(StoreError) {
            try await dropUncertain()
            let limit = departures
            if work.departures { while try await perform({ try $0.settleDepartures(limit: limit) }) > 0 {} }
            if work.late { try await findLateSessions(of: handle.value.gateway) }
        } catch {
            due.withLock { due in
                due.departures = due.departures || work.departures
                due.late = due.late || work.late
            }
            throw error
        }
    }

    /// Reports the sessions whose inboxes have notifications of other gateways that were perhaps not sent, or that there
    /// are none.
    private func findLateSessions(of gateway: Int) async throws(StoreError) {
        let rows = try await readers.read { connection in
            try connection.run(
                """
                SELECT namespace.name, session.agent, session.late FROM session
                JOIN namespace ON namespace.number = session.namespace
                WHERE session.gateway = $1 AND session.late IS NOT NULL
                """,
                [.integer(gateway)]
            ).rows.map { (AgentID(row: $0), $0.integer(2)) }
        }
        exchange.yield(.behind(Dictionary(rows) { $1 }))
    }

    /// Returns the current sessions of this gateway.
    package func ownSessions() async throws(StoreError) -> [AgentID: SessionEpoch] {
        let gateway = handle.value.gateway
        return try await readers.read { connection in
            let rows = try connection.run(
                """
                SELECT namespace.name, session.agent, session.epoch FROM session
                JOIN namespace ON namespace.number = session.namespace WHERE session.gateway = $1
                """,
                [.integer(gateway)]
            ).rows.map { (AgentID(row: $0), SessionEpoch(rawValue: $0.integer(2))) }
            return Dictionary(rows) { $1 }
        }
    }

    /// Drops the transient notifications that this gateway has forgotten.
    package func dropTransient(except held: Set<Int>) async throws(StoreError) {
        let gateway = handle.value.gateway
        let read = try await readers.read { connection in
            try connection.run(
                "SELECT sequence FROM flight WHERE gateway = $1 AND NOT is_unread",
                [.integer(gateway)]
            ).rows.map { $0.integer(0) }
        }
        let forgotten = missing.withLock { missing in
            let previous = missing
            missing = Set(read).subtracting(held)
            return missing.intersection(previous).sorted()
        }
        if !forgotten.isEmpty { try await perform { try $0.drop(forgotten) } }
    }

    /// Has an acknowledgement processed by the gateway with the agent's stream.
    ///
    /// The gateways need no connections between each other: the question and the answer are events.
    package func forward(
        _ acknowledgement: Acknowledgement,
        of agent: AgentID
    ) async throws(StoreError) -> Int {
        let gateways = try await readers.read { connection in
            try connection.run("SELECT gateway FROM session WHERE agent = $1", [.integer(agent.number)]).rows
                .map { $0.integer(0) }
        }
        guard let gateway = gateways.first, gateway != handle.value.gateway else { return 0 }
        var count = 0
        for part in acknowledgement.parts(of: EventMessage.listLimit) {
            count += try await exchange.ask(gateway, part, of: agent)
        }
        return count
    }

    /// Answers a forwarded acknowledgement.
    package func answer(_ forwarded: ForwardedAcknowledgement, _ count: Int?) {
        exchange.answer(forwarded, count)
    }
}

extension AgentID {
    /// Reads an agent from the columns of its namespace's name and its number.
    fileprivate init(row: PostgresRow) {
        self.init(namespace: Namespace(stored: row.text(0)), number: row.integer(1))
    }
}

extension Acknowledgement {
    /// Returns acknowledgements with up to `limit` sequences each, which have the same effect together.
    fileprivate func parts(of limit: Int) -> [Self] {
        guard case .sequences(let sequences) = self else { return [self] }
        return stride(from: 0, to: sequences.count, by: limit).map {
            .sequences(Array(sequences[$0..<min($0 + limit, sequences.count)]))
        }
    }
}
