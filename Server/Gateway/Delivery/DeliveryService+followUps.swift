internal import GatewayStore
internal import LocalService
internal import PushRules
internal import Synchronization
internal import WaypostSchema

/// The follow-up work of changes that can no longer fail.
extension DeliveryService {
    /// The maximum number of sessions to close at the same time.
    private static let maximumConcurrentClosings = 500

    /// Runs the follow-up work of a committed change; if the store fails, the work is retried later.
    ///
    /// The change itself has succeeded in any case.
    func followUp(_ followUp: FollowUp) async {
        followUps.add(await perform(followUp))
    }

    /// Runs follow-up work and returns the part of it that the store did not accept.
    ///
    /// Sessions are closed first: the work of a session that is not current is added to the rest.
    func perform(_ followUp: FollowUp) async -> FollowUp {
        var rest = await close(followUp.closings)
        rest.append(FollowUp(ends: followUp.ends, attempts: followUp.attempts))
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
    /// The result of closing a session.
    private enum ClosingResult {
        /// The session is closed.
        case closed(StoreChanges)

        /// The session is not the agent's current one.
        case outdated

        /// The store failed.
        case failed(GatewayError)
    }

    /// Closes sessions in the store: first one, to find out whether the store works, and then many at a time, so that
    /// they share commits.
    ///
    /// - Returns: the sessions that the store did not accept, and the work of those that are not current.
    private func close(_ closings: [FollowUp.Closing]) async -> FollowUp {
        var (rest, stored) = (FollowUp(), FollowUp())
        var waiting = closings[...]
        var count = 1
        while !waiting.isEmpty, rest.closings.isEmpty {
            for (closing, result) in await results(of: waiting.prefix(count)) {
                finish(closing, result, rest: &rest, stored: &stored)
            }
            waiting = waiting.dropFirst(count)
            count = Self.maximumConcurrentClosings
        }
        recordStored(stored.attempts)
        rest.closings += waiting
        return rest
    }

    private func results(
        of closings: ArraySlice<FollowUp.Closing>
    ) async -> [(closing: FollowUp.Closing, result: ClosingResult)] {
        await withTaskGroup(of: (FollowUp.Closing, ClosingResult).self) { group in
            for closing in closings { group.addTask { (closing, await self.close(closing)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func close(_ closing: FollowUp.Closing) async -> ClosingResult {
        let (attempts, ends) = (closing.report.attempts, closing.report.ends)
        do throws(GatewayError) {
            let changes = try await store.call(in: closing.agent.namespace) { store, now in
                try await store.closeSession(closing.agent, closing.epoch, attempts: attempts, ends: ends, at: now)
            }
            return changes.map { .closed($0) } ?? .outdated
        } catch {
            return .failed(error)
        }
    }

    /// Adds the results that the store accepted to `stored`, and the others to `rest`.
    private func finish(
        _ closing: FollowUp.Closing,
        _ result: ClosingResult,
        rest: inout FollowUp,
        stored: inout FollowUp
    ) {
        let namespace = closing.agent.namespace
        switch result {
        case .closed(let changes):
            stored.add(closing.report.attempts, in: namespace)
            recordStored(closing.report.ends)
            announce(changes, in: namespace)
        case .outdated:
            rest.ends += closing.report.ends
            rest.add(closing.report.attempts, in: namespace)
        case .failed(.store(.outcomeUnknown)):
            // If the store closed the session, closing it again with the attempts would count them twice.
            stored.add(closing.report.attempts, in: namespace)
            var closing = closing
            closing.report.attempts = [:]
            rest.closings.append(closing)
        case .failed: rest.closings.append(closing)
        }
    }
}
