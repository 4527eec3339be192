internal import Delivery
internal import GatewayStore
internal import Logging
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// Event streams and acknowledgements.
extension DeliveryService {
    /// Returns the agent with a secret.
    ///
    /// - Throws: `GatewayError.unauthorized` if there is no such agent.
    func agent(with secret: AgentSecret) async throws(GatewayError) -> AgentID {
        guard let agent = try await store.call({ try await $0.agent(with: SecretDigest(of: secret)) }) else {
            throw .unauthorized
        }
        return agent
    }

    /// Opens an agent's stream after sequence `cursor`, replacing one that is open, and returns its number.
    ///
    /// Returns `nil` if a namespace was reset after the agent was looked up.
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

    /// Closes an agent's stream, if it is still the agent's; its transient notifications are dropped.
    ///
    /// The store is updated later.
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

    /// Returns the next step of a stream; the notifications that it sends are recorded as sent.
    ///
    /// Returns `nil` if the stream is no longer the agent's.
    func next(_ agent: AgentID, stream number: Int, at deadline: NIODeadline) -> DeviceSession.Step? {
        let step = sessions.withLock { $0.next(agent, number: number, at: moment(deadline, in: agent.namespace)) }
        if case .send(let notifications) = step { noteSent(notifications, to: agent) }
        return step
    }

    /// Reads the page of the inbox that a stream requested, and returns the notifications to send now, recorded as
    /// sent.
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

    private func moment(_ deadline: NIODeadline, in namespace: Namespace) -> DeviceSession.Moment {
        DeviceSession.Moment(deadline: deadline, timestamp: clocks.present(in: namespace))
    }

    private func noteSent(_ notifications: [StoredNotification], to agent: AgentID) {
        guard !notifications.isEmpty else { return }
        metrics.noteSent(notifications.count, ofThemAgain: notifications.count(where: \.wasSent))
        followers.note(notifications.lazy.map(\.sequence), in: agent.namespace)
    }

    /// Removes the notifications that an agent acknowledges from its inbox, and returns their number.
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
        // A stream that waited for acknowledgements continues.
        sessions.withLock { $0.signalOfStreamBehind(agent) }?(.somethingNew)
        await followUp(FollowUp(ends: ends))
        return changes.removals.count + ends.count
    }
}
