internal import GatewayStore
internal import Logging
internal import NIOCore
internal import PushRules
internal import Synchronization
internal import WaypostSchema

/// Event streams and acknowledgements.
extension DeliveryService {
    /// Returns the agent with a secret.
    ///
    /// - Throws: `GatewayError.unauthorized` if there is no such agent.
    func agent(with secret: BearerSecret) async throws(GatewayError) -> AgentID {
        guard let agent = try await store.call({ try await $0.agent(withDigest: SecretDigest(of: secret)) }) else {
            throw .unauthorized
        }
        return agent
    }

    /// A session in the store whose stream is not open yet.
    struct OpenedSession: Sendable {
        let agent: AgentID
        let epoch: SessionEpoch
    }

    /// Opens a session of the agent with a secret; `openStream` or `abandon` must follow.
    ///
    /// If many devices connect at the same time, each waits for its turn.
    ///
    /// - Parameters:
    ///   - secret: the secret.
    ///   - isConnected: returns whether the device still waits when its turn comes.
    /// - Returns: the session.
    /// - Throws: `GatewayError.unauthorized` if there is no such agent, `shuttingDown` if its turn does not come, or if
    ///   the device has left.
    func openSession(
        with secret: BearerSecret,
        ifStill isConnected: @Sendable () -> Bool = { true }
    ) async throws(GatewayError) -> OpenedSession {
        try await openings.run { () async throws(GatewayError) -> OpenedSession in
            guard isConnected() else { throw .shuttingDown }
            return try await openSessionNow(with: secret)
        }
    }

    private func openSessionNow(with secret: BearerSecret) async throws(GatewayError) -> OpenedSession {
        let agent = try await agent(with: secret)
        sessions.withLock { $0.beginOpening(agent) }
        do throws(GatewayError) {
            // Its namespace may have been reset in the meantime.
            guard let epoch = try await store.call({ try await $0.openSession(agent) }) else { throw .unauthorized }
            return OpenedSession(agent: agent, epoch: epoch)
        } catch {
            let signal = sessions.withLock { sessions in
                sessions.endOpening(agent)
                return sessions.signals(of: [agent])
            }
            // The store may have opened the session, and then delivers to no other session.
            if error == .store(.outcomeUnknown) { for signal in signal { signal(.ended(.failed)) } }
            throw error
        }
    }

    /// Opens a session's stream after sequence `cursor`, replacing one that is open.
    ///
    /// - Returns: whether it is open; it is not if the agent has opened another session since, or its namespace was
    ///   reset. The session is abandoned then.
    func openStream(
        _ session: OpenedSession,
        after cursor: Int,
        at now: NIODeadline,
        signal: @escaping DeviceSessions.SignalHandler
    ) -> Bool {
        let (agent, epoch) = (session.agent, session.epoch)
        let opening = sessions.withLock { $0.open(agent, epoch, after: cursor, at: now, signal: signal) }
        guard case .opened(let predecessor) = opening else {
            abandon(session)
            return false
        }
        sessions.withLock { $0.endOpening(agent) }
        predecessor?(.ended(.replaced))
        store.logger.info(
            "event stream opened",
            metadata: [
                "stream": "\(epoch.rawValue)", "agent": "\(agent.number)", "namespace": "\(agent.namespace)",
                "after": "\(cursor)",
            ]
        )
        return true
    }

    /// Closes a session whose stream was not opened.
    ///
    /// The agent's earlier sessions have ended in the store, so their streams end, too.
    func abandon(_ session: OpenedSession) {
        let signal = sessions.withLock { sessions in
            defer { sessions.endOpening(session.agent) }
            return sessions.recordSession(session.epoch, of: session.agent)
        }
        signal?(.ended(.failed))
        close(session.agent, session.epoch, report: DeviceSessions.ClosingReport(ends: [], attempts: [:]))
    }

    /// Closes an agent's stream, if it is still the agent's; its transient notifications are dropped.
    ///
    /// The store is updated later.
    func closeStream(_ agent: AgentID, _ epoch: SessionEpoch) {
        let now = clocks.cachedNow(in: agent.namespace)
        guard let closing = sessions.withLock({ $0.close(agent, epoch, at: now) }) else { return }
        store.logger.info(
            "event stream closed",
            metadata: [
                "stream": "\(epoch.rawValue)", "agent": "\(agent.number)", "namespace": "\(agent.namespace)",
                "unacknowledged": "\(closing.attempts.count + closing.ends.count)",
            ]
        )
        close(agent, epoch, report: closing)
    }

    /// Closes the sessions of this gateway in the store that have no stream, and for which none is being opened.
    ///
    /// The store is updated later, as for the sessions that are ending already.
    func closeSessionsWithoutStream(_ stored: [AgentID: SessionEpoch]) {
        let nothing = DeviceSessions.ClosingReport(ends: [], attempts: [:])
        // In this order: a session whose stream closes in between is in neither or in the second.
        let sessionsWithoutStream = sessions.withLock { $0.sessionsWithoutStream(stored) }
        let closingSessions = followUps.closingSessions
        let closings = sessionsWithoutStream.filter { closingSessions[$0.key] != $0.value }
            .map { FollowUp.Closing(agent: $0, epoch: $1, report: nothing) }
        followUps.add(FollowUp(closings: closings))
    }

    /// Drops the transient notifications that this gateway has read from the store but that no stream has.
    ///
    /// Those of closed streams end with their sessions. If the store fails, they stay until the next time.
    func dropForgottenTransient() async {
        let sequences = sessions.withLock(\.transientSequences)
        try? await store.store.dropTransient(except: sequences.union(followUps.endingSequences))
    }

    private func close(_ agent: AgentID, _ epoch: SessionEpoch, report: DeviceSessions.ClosingReport) {
        followUps.add(FollowUp(closings: [FollowUp.Closing(agent: agent, epoch: epoch, report: report)]))
    }

    /// Returns the next step of a stream; the notifications that it sends are recorded as sent.
    ///
    /// Returns `nil` if the stream is no longer the agent's.
    func next(_ agent: AgentID, _ epoch: SessionEpoch, at deadline: NIODeadline) -> DeviceSession.Step? {
        let step = sessions.withLock { $0.next(agent, epoch, at: sendTime(at: deadline, in: agent.namespace)) }
        if case .send(let notifications) = step { recordSent(notifications, to: agent) }
        return step
    }

    /// Reads the page of the inbox that a stream requested, and returns the notifications to send now, recorded as
    /// sent.
    func page(
        _ request: DeviceSession.PageRequest,
        for agent: AgentID,
        _ epoch: SessionEpoch,
        at deadline: NIODeadline
    ) async throws(GatewayError) -> [StoredNotification] {
        let page: [StoredNotification]
        do throws(GatewayError) {
            page = try await pageReads.run { () async throws(GatewayError) -> [StoredNotification] in
                try await store.call(in: agent.namespace) { store, now in
                    try await store.readInbox(of: agent, after: request.position, limit: request.limit, at: now)
                }
            }
        } catch {
            sessions.withLock { $0.recordReadFailure(agent, epoch) }
            throw error
        }
        let notificationsToSend = sessions.withLock {
            $0.receive(page, for: request, of: agent, epoch, at: sendTime(at: deadline, in: agent.namespace))
        }
        recordSent(notificationsToSend, to: agent)
        passOn(page.filter(\.notification.isTransient), except: notificationsToSend, to: agent)
        return notificationsToSend
    }

    /// Passes the transient notifications of a page that its stream did not send to the agent's current stream.
    private func passOn(
        _ transientNotifications: [StoredNotification],
        except sentNotifications: [StoredNotification],
        to agent: AgentID
    ) {
        guard !transientNotifications.isEmpty else { return }
        let sentSequences = Set(sentNotifications.map(\.sequence))
        let unsentNotifications = transientNotifications.filter { !sentSequences.contains($0.sequence) }
        let now = clocks.cachedNow(in: agent.namespace)
        let (dropped, signals) = sessions.withLock { sessions in
            let deliveries = unsentNotifications.map { StreamDelivery(agent: agent, notification: $0) }
            let dropped = sessions.add(deliveries, at: now)
            return (dropped, sessions.signals(of: [agent]))
        }
        for signal in signals { signal(.somethingNew) }
        followUps.add(FollowUp(ends: dropped))
    }

    private func sendTime(at deadline: NIODeadline, in namespace: Namespace) -> DeviceSession.SendTime {
        DeviceSession.SendTime(deadline: deadline, timestamp: clocks.cachedNow(in: namespace))
    }

    private func recordSent(_ notifications: [StoredNotification], to agent: AgentID) {
        guard !notifications.isEmpty else { return }
        metrics.recordSent(notifications.count, redelivered: notifications.count(where: \.wasSent))
        followers.recordChanges(of: notifications.lazy.map(\.sequence), in: agent.namespace)
    }
}
