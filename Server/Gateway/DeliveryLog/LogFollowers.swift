internal import LocalService
internal import Synchronization
internal import WaypostSchema

/// The followers of the delivery log.
///
/// They are notified of the notifications that changed, and read the log themselves: a change is a signal and carries
/// no data.
final class LogFollowers: Sendable {
    private let subscribers = Subscribers<Namespace, LogChangeBuffer>()

    /// Returns a follower that is notified of every change of a namespace's log until the value is released.
    ///
    /// - Parameters:
    ///   - namespace: the namespace of the log.
    ///   - capacity: the maximum number of runs of changed notifications that are buffered.
    /// - Returns: the follower.
    func follow(_ namespace: Namespace, capacity: Int = LogChangeBuffer.standardCapacity) -> LogFollower {
        let changes = LogChangeBuffer(capacity: capacity)
        let number = subscribers.add(changes, to: namespace)
        return LogFollower(changes) { [weak self] in self?.subscribers.remove(number, from: namespace) }
    }

    /// Notifies the followers of a namespace's log that the records of `sequences` have changed.
    func recordChanges(of sequences: some Sequence<Int>, in namespace: Namespace) {
        for changes in subscribers[namespace] { changes.add(sequences.lazy.map { $0..<$0 + 1 }) }
    }

    /// Notifies the followers of a namespace's log that the records of a run of sequences have changed.
    func recordChanges(of run: ClosedRange<Int>, in namespace: Namespace) {
        for changes in subscribers[namespace] { changes.add(CollectionOfOne(Range(run))) }
    }

    /// Returns the buffers of the followers that a namespace's log has now.
    func buffers(of namespace: Namespace) -> [LogChangeBuffer] {
        subscribers[namespace]
    }

    /// Notifies the followers of a namespace's log that it has ended.
    func end(_ reason: StreamEnd.Reason, in namespace: Namespace) {
        for changes in subscribers[namespace] { changes.end(reason) }
    }

    /// Notifies the followers of all logs that changes may be missing.
    ///
    /// Waiters read the log again, and streams that write every change end.
    func recordGap() {
        for changes in subscribers.all { changes.end(.failed) }
    }

    /// The number of followers of all logs.
    var count: Int {
        subscribers.count
    }
}

/// A follower of a namespace's log, until the value is released.
final class LogFollower: Sendable {
    let changes: LogChangeBuffer
    private let onRelease: @Sendable () -> Void

    fileprivate init(_ changes: LogChangeBuffer, onRelease: @escaping @Sendable () -> Void) {
        self.changes = changes
        self.onRelease = onRelease
    }

    deinit {
        onRelease()
    }
}

/// The changes that a follower of the delivery log has not processed yet.
final class LogChangeBuffer: Sendable {
    /// The default maximum number of buffered runs of changed notifications.
    ///
    /// A batch is one run, regardless of its size.
    static let standardCapacity = 10_000

    /// Every possible sequence.
    static let everything = 0..<Int.max

    /// Changes of the log.
    struct Changes: Sendable, Equatable {
        /// The sequences of the notifications whose records have changed.
        var sequences = RangeSet<Int>()

        /// Whether the follower must write a heartbeat.
        var isHeartbeatDue = false

        /// The lists that have changed, for followers that write them.
        var lists: Set<ActivityLists.List> = []

        /// The reason for the end of the log, if it has ended.
        var end: StreamEnd.Reason?
    }

    /// A stream with an element when something has changed; unread elements are merged into one.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    private let capacity: Int
    private let state = Mutex((changes: Changes(), interest: everything))

    init(capacity: Int) {
        self.capacity = capacity
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Limits the follower to the sequences that it is interested in; changes of others are dropped.
    func limit(to interest: Range<Int>) {
        state.withLock { state in
            state.interest = interest
            state.changes.sequences.formIntersection(RangeSet(interest))
        }
    }

    /// Removes the changes from the buffer and returns them.
    func take() -> Changes {
        state.withLock { state in
            defer { state.changes = Changes(end: state.changes.end) }
            return state.changes
        }
    }

    /// The reason for the end of the log, if it has ended.
    var end: StreamEnd.Reason? {
        state.withLock { $0.changes.end }
    }

    /// Adds changes; if there is no room for them, the follower ends as too slow.
    func add(_ runs: some Sequence<Range<Int>>) {
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

    /// Makes the follower write a heartbeat.
    func requestHeartbeat() {
        state.withLock { $0.changes.isHeartbeatDue = true }
        signal.yield()
    }

    /// Makes the follower write a list.
    func add(_ list: ActivityLists.List) {
        state.withLock { _ = $0.changes.lists.insert(list) }
        signal.yield()
    }

    /// Notifies the follower that the log has ended.
    func end(_ reason: StreamEnd.Reason) {
        state.withLock { $0.changes.end = $0.changes.end ?? reason }
        signal.yield()
    }
}
