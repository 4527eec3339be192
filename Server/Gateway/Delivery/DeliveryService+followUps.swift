internal import GatewayStore
internal import LocalService
internal import PushRules
internal import Synchronization
internal import WaypostSchema

/// The follow-up work of changes that can no longer fail.
extension DeliveryService {
    /// Runs the follow-up work of a committed change in groups; if the store fails, the rest is retried later.
    ///
    /// The change itself has succeeded in any case.
    func followUp(_ followUp: FollowUp) async {
        var queue = FollowUpQueue()
        queue.add(followUp)
        while let group = queue.nextGroup() {
            let rest = await perform(group)
            queue.finishGroup(rest)
            guard rest.isEmpty else { return followUps.add(queue.removeAll()) }
        }
    }

    /// Runs a group of follow-up work and returns the part of it that the store did not accept.
    ///
    /// Sessions are closed first: the work of a session that is not current is added to the rest.
    func perform(_ group: FollowUp) async -> FollowUp {
        var rest = await close(group.closings)
        rest.append(FollowUp(ends: group.ends, attempts: group.attempts))
        do throws(GatewayError) {
            for (namespace, attempts) in rest.attempts {
                try await storeAttempts(attempts, in: namespace)
                rest.attempts[namespace] = nil
            }
            try await recordEnds(rest.ends)
            rest.ends = []
        } catch {}
        return rest
    }

    /// Counts transient notifications in their final states.
    private func recordEnds(_ ends: [TransientEnd]) async throws(GatewayError) {
        guard !ends.isEmpty else { return }
        try await store.call { try await $0.recordOutcomes(ends) }
        recordStored(ends)
    }

    /// Stores in the log the times at which notifications were sent.
    private func storeAttempts(
        _ attempts: [Int: DeliveryAttempts],
        in namespace: Namespace
    ) async throws(GatewayError) {
        do throws(GatewayError) {
            try await store.call { try await $0.recordAttempts(attempts, in: namespace) }
        } catch {
            // If the outcome is unknown, storing them again could count them twice.
            guard error == .store(.outcomeUnknown) else { throw error }
        }
        recordStored([namespace: attempts])
    }

    /// Notifies waiters and followers that the store has counted the ends of transient notifications.
    private func recordStored(_ ends: [TransientEnd]) {
        for end in ends {
            metrics.recordNotifications(in: end.state)
            followers.recordChanges(of: [end.sequence], in: end.namespace)
        }
        batchChanges.notify(Set(ends.map(\.batch)))
    }

    /// Notifies followers that the store has the times at which notifications were sent.
    private func recordStored(_ attempts: [Namespace: [Int: DeliveryAttempts]]) {
        guard !attempts.isEmpty else { return }
        sessions.withLock { $0.recordStoredAttempts(of: attempts.values.flatMap(\.keys)) }
        for (namespace, attempts) in attempts { followers.recordChanges(of: attempts.keys, in: namespace) }
    }
}

/// Closing sessions.
extension DeliveryService {
    /// Closes sessions in the store, in one change.
    ///
    /// - Returns: the sessions if the store did not accept the change, and the work of those that are not current.
    private func close(_ closings: [FollowUp.Closing]) async -> FollowUp {
        guard !closings.isEmpty else { return FollowUp() }
        do throws(GatewayError) {
            let sessionClosings = try await sessionClosings(of: closings)
            let changes = try await store.call { try await $0.closeSessions(sessionClosings) }
            return finish(closings, changes)
        } catch {
            guard error == .store(.outcomeUnknown) else { return FollowUp(closings: closings) }
            return sessionsToCloseAgain(afterUnknownOutcomeOf: closings)
        }
    }

    /// Returns the sessions with the times of their namespaces.
    private func sessionClosings(of closings: [FollowUp.Closing]) async throws(GatewayError) -> [SessionClosing] {
        var times: [Namespace: Timestamp] = [:]
        for namespace in Set(closings.lazy.map(\.agent.namespace)) {
            times[namespace] = try await store.now(in: namespace)
        }
        return closings.map { closing in
            SessionClosing(
                agent: closing.agent,
                epoch: closing.epoch,
                attempts: closing.report.attempts,
                ends: closing.report.ends,
                time: times[closing.agent.namespace] ?? clocks.cachedNow(in: closing.agent.namespace)
            )
        }
    }

    /// Notifies those that the ends of sessions affect.
    ///
    /// - Parameters:
    ///   - closings: the sessions.
    ///   - changes: the changes of the store for each session; `nil` if it is not the current one of its agent.
    /// - Returns: the work of the sessions that are not current.
    private func finish(_ closings: [FollowUp.Closing], _ changes: [StoreChanges?]) -> FollowUp {
        var (rest, stored) = (FollowUp(), FollowUp())
        for (closing, changes) in zip(closings, changes) {
            let namespace = closing.agent.namespace
            if let changes {
                stored.add(closing.report.attempts, in: namespace)
                recordStored(closing.report.ends)
                announce(changes, in: namespace)
            } else {
                rest.ends += closing.report.ends
                rest.add(closing.report.attempts, in: namespace)
            }
        }
        recordStored(stored.attempts)
        return rest
    }

    /// Returns the sessions to close again after a change whose outcome is unknown.
    ///
    /// If the store closed them, closing them again with the attempts would count these twice.
    private func sessionsToCloseAgain(afterUnknownOutcomeOf closings: [FollowUp.Closing]) -> FollowUp {
        var (rest, stored) = (FollowUp(closings: closings), FollowUp())
        for index in rest.closings.indices {
            stored.add(rest.closings[index].report.attempts, in: rest.closings[index].agent.namespace)
            rest.closings[index].report.attempts = [:]
        }
        recordStored(stored.attempts)
        return rest
    }
}
