internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// Those who follow the delivery log.
///
/// They are told of which notifications the log says something new, and look there themselves: a change is a nudge, never
/// the data.
final class LogFollowers: Sendable {
    private struct State {
        var mailboxes: [Namespace: [Int: LogChangeBuffer]] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    init() {}

    /// Returns somebody who is told of every change of a namespace's log from now on, for as long as the value is there.
    ///
    /// - Parameters:
    ///   - namespace: whose log it is.
    ///   - capacity: how many runs of changed notifications are remembered that the follower has not looked at.
    /// - Returns: the follower.
    func follow(_ namespace: Namespace, capacity: Int = LogChangeBuffer.standardCapacity) -> LogFollower {
        let mailbox = LogChangeBuffer(capacity: capacity)
        let ticket = state.withLock { state in
            state.lastTicket += 1
            state.mailboxes[namespace, default: [:]][state.lastTicket] = mailbox
            return state.lastTicket
        }
        return LogFollower(mailbox) { [weak self] in self?.remove(ticket, from: namespace) }
    }

    /// Tells those who follow a namespace's log that what it says of `sequences` has changed.
    func note(_ sequences: some Sequence<Int>, in namespace: Namespace) {
        for mailbox in mailboxes(of: namespace) { mailbox.note(sequences.lazy.map { $0..<$0 + 1 }) }
    }

    /// Tells those who follow a namespace's log that what it says of a run of sequences has changed.
    func note(_ run: ClosedRange<Int>, in namespace: Namespace) {
        for mailbox in mailboxes(of: namespace) { mailbox.note(CollectionOfOne(Range(run))) }
    }

    /// Tells those who follow a namespace's log that there will be nothing more.
    func end(_ reason: StreamEnd.Reason, in namespace: Namespace) {
        for mailbox in mailboxes(of: namespace) { mailbox.end(reason) }
    }

    private func mailboxes(of namespace: Namespace) -> [LogChangeBuffer] {
        state.withLock { $0.mailboxes[namespace].map { Array($0.values) } ?? [] }
    }

    /// How many follow the log of some namespace.
    var count: Int {
        state.withLock { $0.mailboxes.values.reduce(0) { $0 + $1.count } }
    }

    private func remove(_ ticket: Int, from namespace: Namespace) {
        state.withLock { state in
            state.mailboxes[namespace]?[ticket] = nil
            if state.mailboxes[namespace]?.isEmpty == true { state.mailboxes[namespace] = nil }
        }
    }
}

/// Somebody who follows a namespace's log, until the value is gone.
final class LogFollower: Sendable {
    let mailbox: LogChangeBuffer
    private let leave: @Sendable () -> Void

    fileprivate init(_ mailbox: LogChangeBuffer, leave: @escaping @Sendable () -> Void) {
        self.mailbox = mailbox
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

    /// What is in a mailbox.
    struct Mail: Sendable, Equatable {
        /// The sequences of the notifications of which the log says something new.
        var changed = RangeSet<Int>()

        /// Whether the follower is to show that it is there.
        var isHeartbeatDue = false

        /// Why there will be nothing more.
        var end: StreamEnd.Reason?
    }

    /// An element where there is mail; what comes faster than it is read is one.
    let nudges: AsyncStream<Void>
    private let nudge: AsyncStream<Void>.Continuation

    private let capacity: Int
    private let state = Mutex((mail: Mail(), interest: everything))

    init(capacity: Int) {
        self.capacity = capacity
        (nudges, nudge) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Chooses which sequences the follower wants to be told of; what there is of others is forgotten.
    func limit(to interest: Range<Int>) {
        state.withLock { state in
            state.interest = interest
            state.mail.changed.formIntersection(RangeSet(interest))
        }
    }

    /// Takes what is in the mailbox out of it.
    func take() -> Mail {
        state.withLock { state in
            defer { state.mail = Mail(end: state.mail.end) }
            return state.mail
        }
    }

    /// Why there will be nothing more.
    var end: StreamEnd.Reason? {
        state.withLock { $0.mail.end }
    }

    /// Puts in what has changed; where there is no room for it, the follower is told so as its end.
    func note(_ runs: some Sequence<Range<Int>>) {
        let hasMail = state.withLock { state in
            var hasMail = false
            for run in runs {
                let run = run.clamped(to: state.interest)
                guard !run.isEmpty else { continue }
                hasMail = true
                state.mail.changed.insert(contentsOf: run)
                guard state.mail.changed.ranges.count <= capacity else {
                    state.mail = Mail(end: state.mail.end ?? .tooSlow)
                    break
                }
            }
            return hasMail
        }
        if hasMail { nudge.yield() }
    }

    /// Lets the follower show that it is there.
    func noteHeartbeat() {
        state.withLock { $0.mail.isHeartbeatDue = true }
        nudge.yield()
    }

    /// Tells the follower that there will be nothing more.
    func end(_ reason: StreamEnd.Reason) {
        state.withLock { $0.mail.end = $0.mail.end ?? reason }
        nudge.yield()
    }
}
