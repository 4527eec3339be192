internal import Delivery
internal import GatewayStore
internal import Logging
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// Event streams and acknowledgements.
extension DeliveryService {
    /// Returns the agent that a secret belongs to.
    func agent(with secret: AgentSecret) async throws(GatewayError) -> AgentID {
        guard let agent = try await store.call({ try await $0.agent(with: SecretDigest(of: secret)) }) else {
            throw .unauthorized
        }
        return agent
    }

    /// How often a namespace was reset.
    var resetCount: Int {
        sessions.withLock { $0.resetCount }
    }

    /// Opens an agent's stream behind sequence `cursor`, in the place of one that is open; returns its number.
    ///
    /// `nil` where a namespace was reset after the agent was looked up.
    func openStream(
        _ agent: AgentID,
        after cursor: Int,
        at now: NIODeadline,
        afterResets resets: Int,
        signal: @escaping DeviceSessions.SignalTo
    ) -> Int? {
        let opened = sessions.withLock { sessions in
            sessions.resetCount == resets ? sessions.open(agent, after: cursor, at: now, signal: signal) : nil
        }
        guard let (number, predecessor) = opened else { return nil }
        predecessor?(.ended(.replaced))
        store.logger.info(
            "event stream opened",
            metadata: [
                "stream": "\(number)", "agent": "\(agent.number)", "namespace": "\(agent.namespace)",
                "after": "\(cursor)",
            ]
        )
        return number
    }

    /// Closes an agent's stream, where it is the agent's still; what was now or never is dropped with it.
    ///
    /// The store is told of it in a while.
    func closeStream(_ agent: AgentID, number: Int) {
        let now = clocks.present(in: agent.namespace)
        guard let closing = sessions.withLock({ $0.close(agent, number: number, at: now) }) else { return }
        store.logger.info(
            "event stream closed",
            metadata: [
                "stream": "\(number)", "agent": "\(agent.number)", "namespace": "\(agent.namespace)",
                "unacknowledged": "\(closing.attempts.count + closing.ends.count)",
            ]
        )
        var followUp = FollowUp(ends: closing.ends, leaving: [agent])
        followUp.add(closing.attempts, in: agent.namespace)
        followUps.add(followUp)
    }

    /// Returns what a stream does next, what it sends being noted as sent; `nil` where it is not the agent's any more.
    func next(_ agent: AgentID, stream number: Int, at deadline: NIODeadline) -> DeviceSession.Step? {
        let step = sessions.withLock { $0.next(agent, number: number, at: moment(deadline, in: agent.namespace)) }
        if case .send(let notifications) = step { noteSent(notifications, to: agent) }
        return step
    }

    /// Reads a page of the inbox that a stream asked for, and returns what of it is to be sent now, noted as sent.
    func page(
        _ request: DeviceSession.PageRequest,
        for agent: AgentID,
        stream number: Int,
        at deadline: NIODeadline
    ) async throws(GatewayError) -> [StoredNotification] {
        let page: [StoredNotification]
        do throws(GatewayError) {
            page = try await store.call(in: agent.namespace) { store, now in
                try await store.read(agent, after: request.position, limit: request.limit, at: now)
            }
        } catch {
            sessions.withLock { $0.cancelReading(agent, number: number) }
            throw error
        }
        let fresh = sessions.withLock {
            $0.send(page, of: request, to: agent, number: number, at: moment(deadline, in: agent.namespace))
        }
        noteSent(fresh, to: agent)
        return fresh
    }

    /// Whether a stream waits for acknowledgements alone.
    func isWindowFull(_ agent: AgentID, stream number: Int) -> Bool {
        sessions.withLock { $0.isWindowFull(agent, number: number) }
    }

    /// Lets what a stream sent long enough ago be sent again.
    func takeDue(_ agent: AgentID, stream number: Int, at now: NIODeadline) {
        _ = sessions.withLock { $0.takeDue(agent, number: number, at: now) }
    }

    private func moment(_ deadline: NIODeadline, in namespace: Namespace) -> DeviceSession.Moment {
        DeviceSession.Moment(deadline: deadline, timestamp: clocks.present(in: namespace))
    }

    private func noteSent(_ notifications: [StoredNotification], to agent: AgentID) {
        guard !notifications.isEmpty else { return }
        metrics.noteSent(notifications.count, ofThemAgain: notifications.count(where: \.wasSent))
        followers.note(notifications.lazy.map(\.sequence), in: agent.namespace)
    }

    /// Takes what an agent acknowledges out of its inbox; returns how many notifications that were.
    func acknowledge(_ agent: AgentID, _ acknowledgement: Acknowledgement) async throws(GatewayError) -> Int {
        let (sequences, attempts) = sessions.withLock { sessions in
            let sequences =
                switch acknowledgement {
                case .sequences(let sequences): sequences
                case .upTo(let sequence): sessions.covered(agent, upTo: sequence)
                }
            return (sequences, sessions.attempts(of: sequences))
        }
        guard !sequences.isEmpty else { return 0 }
        let now = try await store.now(in: agent.namespace)
        let changes = try await store.call {
            try await $0.acknowledge(agent, sequences, attempts: attempts, at: now)
        }
        let ends = sessions.withLock { $0.acknowledge(agent, sequences, at: now) }
        announce(changes, in: agent.namespace)
        // A stream that waited for acknowledgements goes on.
        sessions.withLock { $0.signalOfStreamBehind(agent) }?(.somethingNew)
        await followUp(FollowUp(ends: ends))
        return changes.removals.count + ends.count
    }
}
