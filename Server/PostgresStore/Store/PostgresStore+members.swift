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
    package func sendHeartbeat(from address: String?) async throws(StoreError) -> ClusterMembers {
        eventBus.forwardedRequests.incrementAges()
        eventBus.resend()
        let gateway = handle.value.gateway
        let report = try await heartbeat.send(for: gateway, address: address)
        guard report.isMember else {
            try await writer.joinAgain(replacing: gateway)
            return report.members
        }
        catchUpWork.withLock { work in
            if report.removedCount > 0 || report.needsFullCheck && report.members.isSelfLeader {
                work.includesEndedGateways = true
            }
            if report.needsFullCheck { work.includesLateSessions = true }
        }
        return report.members
    }

    /// The work for `catchUp` that heartbeats have found.
    struct CatchUpWork: Sendable {
        /// Whether gateways that have ended may have left sessions or notifications.
        var includesEndedGateways = false

        /// Whether to find sessions that may have missed a nudge.
        var includesLateSessions = false
    }

    /// Cleans up after gateways that have ended; after every tenth heartbeat, also finds sessions that missed a nudge.
    package func catchUp() async throws(StoreError) {
        let work = catchUpWork.withLock { pending in
            defer { pending = CatchUpWork() }
            return pending
        }
        do throws(StoreError) {
            try await dropUnresolvedReads()
            let limit = maximumSessionsPerCleanUp
            if work.includesEndedGateways {
                while try await write({ try $0.cleanUpAfterEndedGateways(limit: limit) }) > 0 {}
            }
            if work.includesLateSessions { try await findLateSessions(of: handle.value.gateway) }
        } catch {
            catchUpWork.withLock { pending in
                pending.includesEndedGateways = pending.includesEndedGateways || work.includesEndedGateways
                pending.includesLateSessions = pending.includesLateSessions || work.includesLateSessions
            }
            throw error
        }
    }

    /// Reports the sessions with notifications of other gateways that were perhaps not sent, even if there are none.
    private func findLateSessions(of gateway: Int) async throws(StoreError) {
        let rows = try await readPool.withConnection { connection in
            try connection.run(
                """
                SELECT namespace.name, session.agent, session.late FROM session
                JOIN namespace ON namespace.number = session.namespace
                WHERE session.gateway = $1 AND session.late IS NOT NULL
                """,
                [.integer(gateway)]
            ).rows.map { (AgentID(row: $0), $0.integer(2)) }
        }
        eventBus.yield(.behind(Dictionary(rows) { $1 }))
    }

    /// Returns the current sessions of this gateway.
    package func ownSessions() async throws(StoreError) -> [AgentID: SessionEpoch] {
        let gateway = handle.value.gateway
        return try await readPool.withConnection { connection in
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

    /// Drops the transient notifications that this gateway has lost.
    package func dropTransient(except ownedSequences: Set<Int>) async throws(StoreError) {
        let gateway = handle.value.gateway
        let readSequences = try await readPool.withConnection { connection in
            try connection.run(
                "SELECT sequence FROM flight WHERE gateway = $1 AND NOT is_unread",
                [.integer(gateway)]
            ).rows.map { $0.integer(0) }
        }
        let lostSequences = unclaimedTransients.withLock { unclaimed in
            let previous = unclaimed
            unclaimed = Set(readSequences).subtracting(ownedSequences)
            return unclaimed.intersection(previous).sorted()
        }
        if !lostSequences.isEmpty { try await write { try $0.dropTransients(lostSequences) } }
    }

    /// Forwards an acknowledgement to the gateway with the agent's stream.
    ///
    /// The gateways need no connections between each other: the request and the response are events.
    package func forward(
        _ acknowledgement: Acknowledgement,
        of agent: AgentID
    ) async throws(StoreError) -> Int {
        let gateways = try await readPool.withConnection { connection in
            try connection.run("SELECT gateway FROM session WHERE agent = $1", [.integer(agent.number)]).rows
                .map { $0.integer(0) }
        }
        guard let gateway = gateways.first, gateway != handle.value.gateway else { return 0 }
        var count = 0
        for part in acknowledgement.parts(of: EventMessage.listLimit) {
            count += try await eventBus.forward(part, of: agent, to: gateway)
        }
        return count
    }

    /// Completes a forwarded acknowledgement.
    package func completeForwarded(_ forwarded: ForwardedAcknowledgement, removed count: Int?) {
        eventBus.completeForwarded(forwarded, removed: count)
    }
}

extension AgentID {
    /// Reads an agent from the columns of its namespace's name and its number.
    fileprivate init(row: PostgresRow) {
        self.init(namespace: Namespace(databaseText: row.text(0)), number: row.integer(1))
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
