internal import Hummingbird
internal import LocalService
internal import Synchronization
internal import WaypostSchema

/// The agents that follow the clocks of namespaces: each says up to which time everything due has happened on it.
final class ClockFollowers: Sendable {
    private let reached = Mutex<[Namespace: [String: Timestamp]]>([:])
    private let changes = ChangeNotifier<Namespace>()

    /// Records that everything that was due up to `time` has happened on a follower.
    func note(_ follower: String, reached time: Timestamp, in namespace: Namespace) {
        reached.withLock { $0[namespace, default: [:]][follower] = time }
        changes.notify([namespace])
    }

    /// Removes a follower that has disconnected.
    func remove(_ follower: String, in namespace: Namespace) {
        reached.withLock { _ = $0[namespace]?.removeValue(forKey: follower) }
        changes.notify([namespace])
    }

    /// Notifies the followers that the clock of a namespace has moved.
    func recordMove(in namespace: Namespace) {
        changes.notify([namespace])
    }

    /// Waits until a follower has disconnected, or `condition` holds after a change of the clock.
    func wait(_ follower: String, in namespace: Namespace, until condition: @Sendable () -> Bool) async {
        for await _ in changes.changes(of: namespace, startingNow: true) {
            if condition() || reached.withLock({ $0[namespace]?[follower] == nil }) { return }
        }
    }

    /// Waits until everything that was due up to `time` has happened on every follower.
    ///
    /// - Parameters:
    ///   - time: the time.
    ///   - namespace: the namespace of the clock.
    ///   - timeout: the limit of the wait; a follower that is behind then has ended, and is removed.
    /// - Throws: `CancellationError`.
    func waitForAll(_ time: Timestamp, in namespace: Namespace, _ timeout: WaitTimeout) async throws {
        try await timeout.wait {
            for await _ in self.changes.changes(of: namespace, startingNow: true)
            where self.behind(time, in: namespace).isEmpty {
                return
            }
        }
        for follower in behind(time, in: namespace) { remove(follower, in: namespace) }
    }

    private func behind(_ time: Timestamp, in namespace: Namespace) -> [String] {
        reached.withLock { reached in (reached[namespace] ?? [:]).filter { $0.value < time }.map(\.key) }
    }
}

/// A request of an agent that follows a clock: `?follower=ID&after=TIME&timeout=20s`.
struct ClockFollowing {
    private let follower: String
    private let after: Timestamp
    private let timeout: WaitTimeout

    /// Parses a request's query; `nil` if the request does not name a follower.
    init?(_ request: Request) throws(RequestError) {
        timeout = try WaitTimeout(request)
        let text = request.uri.queryParameters.get("after") ?? "0"
        guard let after = Int(text), after >= 0 else {
            throw .badParameter(name: "after", "'\(text)' is not a time in milliseconds since 1970")
        }
        guard let follower = request.uri.queryParameters.get("follower") else { return nil }
        guard (1...64).contains(follower.utf8.count) else {
            throw .badParameter(name: "follower", "a follower has an identifier of 1 to 64 bytes, of its own choice")
        }
        self.follower = follower
        self.after = Timestamp(milliseconds: after)
    }

    /// Whether the follower has not read the clock before.
    var isFirst: Bool {
        after.rawValue == 0
    }

    /// Waits until the clock is later than the time that the follower has reached, or the time-out is over.
    ///
    /// - Returns: the time of the clock; the time that the follower has reached if there is no such clock.
    func wait(
        for clocks: NamespaceClocks,
        in namespace: Namespace,
        _ context: ServiceContext,
        _ followers: ClockFollowers
    ) async throws -> Timestamp {
        let (follower, after) = (follower, after)
        await clocks.reload(namespace)
        followers.note(follower, reached: after, in: namespace)
        try await context.whileConnected {
            try await timeout.wait {
                await followers.wait(follower, in: namespace) { clocks.last(in: namespace) ?? after > after }
            }
        } onClientEnd: {
            followers.remove(follower, in: namespace)
        }
        return clocks.last(in: namespace) ?? after
    }
}
