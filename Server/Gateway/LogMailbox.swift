internal import Synchronization
internal import WaypostSchema

/// What a follower of the delivery log has yet to look at.
final class LogMailbox: Sendable {
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
        var isBeatDue = false

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
    func noteBeat() {
        state.withLock { $0.mail.isBeatDue = true }
        nudge.yield()
    }

    /// Tells the follower that there will be nothing more.
    func end(_ reason: StreamEnd.Reason) {
        state.withLock { $0.mail.end = $0.mail.end ?? reason }
        nudge.yield()
    }
}
