internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// Those who follow the delivery log.
///
/// They are told of which notifications the log says something new, and look there themselves: a change is a nudge, never
/// the data.
final class LogFollowers: Sendable {
    private struct State {
        var mailboxes: [Namespace: [Int: LogMailbox]] = [:]
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
    func follow(_ namespace: Namespace, capacity: Int = LogMailbox.standardCapacity) -> LogFollower {
        let mailbox = LogMailbox(capacity: capacity)
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

    private func mailboxes(of namespace: Namespace) -> [LogMailbox] {
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
    let mailbox: LogMailbox
    private let leave: @Sendable () -> Void

    fileprivate init(_ mailbox: LogMailbox, leave: @escaping @Sendable () -> Void) {
        self.mailbox = mailbox
        self.leave = leave
    }

    deinit {
        leave()
    }
}
