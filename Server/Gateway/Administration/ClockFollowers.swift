internal import Hummingbird
internal import LocalService
internal import Synchronization
internal import WaypostSchema

/// The agents that follow the clocks of namespaces.
///
/// Each follower reports the time up to which it has done everything that was due.
final class ClockFollowers: Sendable {
    private let reachedTimes = Mutex<[Namespace: [String: Timestamp]]>([:])
    private let changes = ChangeNotifier<Namespace>()

    /// Records that a follower has done everything that was due up to `time`.
    func record(_ follower: String, reached time: Timestamp, in namespace: Namespace) {
        reachedTimes.withLock { $0[namespace, default: [:]][follower] = time }
        changes.notify([namespace])
    }

    /// Removes a follower that has disconnected.
    func remove(_ follower: String, in namespace: Namespace) {
        reachedTimes.withLock { _ = $0[namespace]?.removeValue(forKey: follower) }
        changes.notify([namespace])
    }

    /// Notifies the followers that the clock of a namespace has moved.
    func recordMove(in namespace: Namespace) {
        changes.notify([namespace])
    }

    /// Waits until a follower has disconnected, or `condition` holds after a change of the clock.
    func wait(_ follower: String, in namespace: Namespace, until condition: @Sendable () -> Bool) async {
        for await _ in changes.changes(of: namespace, startingNow: true) {
            if condition() || reachedTimes.withLock({ $0[namespace]?[follower] == nil }) { return }
        }
    }

    /// Waits until every follower has done everything that was due up to `time`.
    ///
    /// - Parameters:
    ///   - time: the time.
    ///   - namespace: the namespace of the clock.
    ///   - timeout: the limit of the wait; a follower that is still behind counts as ended and is removed.
    /// - Throws: `CancellationError`.
    func waitForAll(toReach time: Timestamp, in namespace: Namespace, timeout: WaitTimeout) async throws {
        try await timeout.wait {
            for await _ in self.changes.changes(of: namespace, startingNow: true)
            where self.followersBehind(time, in: namespace).isEmpty {
                return
            }
        }
        for follower in followersBehind(time, in: namespace) { remove(follower, in: namespace) }
    }

    private func followersBehind(_ time: Timestamp, in namespace: Namespace) -> [String] {
        reachedTimes.withLock { times in (times[namespace] ?? [:]).filter { $0.value < time }.map(\.key) }
    }
}

/// A request of an agent that follows a clock: `?follower=ID&after=TIME&timeout=20s`.
struct ClockFollowRequest {
    private let follower: String
    private let reachedTime: Timestamp
    private let timeout: WaitTimeout

    /// Parses a request's query; `nil` if the request does not name a follower.
    init?(_ request: Request) throws(RequestError) {
        timeout = try WaitTimeout(request)
        let string = request.uri.queryParameters.get("after") ?? "0"
        guard let after = Int(string), after >= 0 else {
            throw .badParameter(name: "after", "'\(string)' is not a time in milliseconds since 1970")
        }
        guard let follower = request.uri.queryParameters.get("follower") else { return nil }
        guard (1...64).contains(follower.utf8.count) else {
            throw .badParameter(name: "follower", "a follower has an identifier of 1 to 64 bytes, of its own choice")
        }
        self.follower = follower
        reachedTime = Timestamp(milliseconds: after)
    }

    /// Whether the follower has not read the clock before.
    var isFirst: Bool {
        reachedTime.rawValue == 0
    }

    /// Waits until the clock is later than the time that the follower has reached, or the time-out is over.
    ///
    /// - Returns: the time of the clock; the time that the follower has reached if there is no such clock.
    func wait(
        for clocks: NamespaceClocks,
        in namespace: Namespace,
        context: ServiceContext,
        followers: ClockFollowers
    ) async throws -> Timestamp {
        let (follower, reachedTime) = (follower, reachedTime)
        await clocks.reload(namespace)
        followers.record(follower, reached: reachedTime, in: namespace)
        try await context.whileConnected {
            try await timeout.wait {
                await followers.wait(follower, in: namespace) {
                    clocks.lastReadTime(in: namespace) ?? reachedTime > reachedTime
                }
            }
        } onDisconnect: {
            followers.remove(follower, in: namespace)
        }
        return clocks.lastReadTime(in: namespace) ?? reachedTime
    }
}
