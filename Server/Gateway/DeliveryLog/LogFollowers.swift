internal import LocalService
internal import Synchronization
internal import WaypostSchema

/// The followers of the delivery log.
///
/// They are told of which notifications the log says something new, and look there themselves: a change is a signal, never
/// the data.
final class LogFollowers: Sendable {
    private let subscribers = Subscribers<Namespace, LogChangeBuffer>()

    init() {}

    /// Returns a follower that is told of every change of a namespace's log from now on, for as long as the value is there.
    ///
    /// - Parameters:
    ///   - namespace: whose log it is.
    ///   - capacity: how many runs of changed notifications are remembered that the follower has not looked at.
    /// - Returns: the follower.
    func follow(_ namespace: Namespace, capacity: Int = LogChangeBuffer.standardCapacity) -> LogFollower {
        let changes = LogChangeBuffer(capacity: capacity)
        let number = subscribers.add(changes, to: namespace)
        return LogFollower(changes) { [weak self] in self?.subscribers.remove(number, from: namespace) }
    }

    /// Tells the followers of a namespace's log that what it says of `sequences` has changed.
    func note(_ sequences: some Sequence<Int>, in namespace: Namespace) {
        for changes in subscribers[namespace] { changes.note(sequences.lazy.map { $0..<$0 + 1 }) }
    }

    /// Tells the followers of a namespace's log that what it says of a run of sequences has changed.
    func note(_ run: ClosedRange<Int>, in namespace: Namespace) {
        for changes in subscribers[namespace] { changes.note(CollectionOfOne(Range(run))) }
    }

    /// Tells the followers of a namespace's log that there will be nothing more.
    func end(_ reason: StreamEnd.Reason, in namespace: Namespace) {
        for changes in subscribers[namespace] { changes.end(reason) }
    }

    /// How many follow the log of some namespace.
    var count: Int {
        subscribers.count
    }
}

/// Somebody who follows a namespace's log, until the value is gone.
final class LogFollower: Sendable {
    let changes: LogChangeBuffer
    private let leave: @Sendable () -> Void

    fileprivate init(_ changes: LogChangeBuffer, leave: @escaping @Sendable () -> Void) {
        self.changes = changes
        self.leave = leave
    }

    deinit {
        leave()
    }
}

/// What a follower of the delivery log has yet to look at.
final class LogChangeBuffer: Sendable {
    /// How many runs of changed notifications are remembered for a follower.
    ///
    /// A batch is one run, however many it has.
    static let standardCapacity = 10_000

    /// Every sequence that there can be.
    static let everything = 0..<Int.max

    /// What has changed.
    struct Changes: Sendable, Equatable {
        /// The sequences of the notifications of which the log says something new.
        var sequences = RangeSet<Int>()

        /// Whether the follower is to show that it is there.
        var isHeartbeatDue = false

        /// Why there will be nothing more.
        var end: StreamEnd.Reason?
    }

    /// An element when something has changed; what comes faster than it is read is one.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    private let capacity: Int
    private let state = Mutex((changes: Changes(), interest: everything))

    init(capacity: Int) {
        self.capacity = capacity
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Chooses which sequences the follower wants to be told of; what there is of others is forgotten.
    func limit(to interest: Range<Int>) {
        state.withLock { state in
            state.interest = interest
            state.changes.sequences.formIntersection(RangeSet(interest))
        }
    }

    /// Takes what has changed out of the buffer.
    func take() -> Changes {
        state.withLock { state in
            defer { state.changes = Changes(end: state.changes.end) }
            return state.changes
        }
    }

    /// Why there will be nothing more.
    var end: StreamEnd.Reason? {
        state.withLock { $0.changes.end }
    }

    /// Puts in what has changed; where there is no room for it, the follower is told so as its end.
    func note(_ runs: some Sequence<Range<Int>>) {
        let hasChanges = state.withLock { state in
            var hasChanges = false
            for run in runs {
                let run = run.clamped(to: state.interest)
                guard !run.isEmpty else { continue }
                hasChanges = true
                state.changes.sequences.insert(contentsOf: run)
                guard state.changes.sequences.ranges.count <= capacity else {
                    state.changes = Changes(end: state.changes.end ?? .tooSlow)
                    break
                }
            }
            return hasChanges
        }
        if hasChanges { signal.yield() }
    }

    /// Lets the follower show that it is there.
    func noteHeartbeat() {
        state.withLock { $0.changes.isHeartbeatDue = true }
        signal.yield()
    }

    /// Tells the follower that there will be nothing more.
    func end(_ reason: StreamEnd.Reason) {
        state.withLock { $0.changes.end = $0.changes.end ?? reason }
        signal.yield()
    }
}
