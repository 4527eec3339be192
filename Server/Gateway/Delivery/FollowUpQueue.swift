internal import DequeModule
internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// The follow-up work that waits, as a value, which returns it in small groups.
///
/// Thousands of streams may end together. Each group becomes small changes of the store, and the next group waits for
/// them, so that the changes of others are made in between.
struct FollowUpQueue: Sendable {
    /// The maximum number of sessions in a group.
    static let maximumSessions = 32

    /// The maximum number of notifications of the sessions in a group, and of the other notifications there.
    ///
    /// A session with more of them is a group of its own.
    static let maximumItems = 1_000

    private struct PendingAttempts: Sendable {
        let namespace: Namespace
        let sequence: Int
        let attempts: DeliveryAttempts
    }

    private var closings: Deque<FollowUp.Closing> = []
    private var ends: Deque<TransientEnd> = []
    private var pendingAttempts: Deque<PendingAttempts> = []

    /// The group that was returned last, until it has finished.
    private var runningGroup = FollowUp()

    /// The maximum number of sessions in the next group.
    ///
    /// After a failure it is 1, to find out whether the store works again, and then twice that of the group before. So
    /// a session that the store never accepts does not keep the others from ending.
    private var sessionLimit = Self.maximumSessions

    /// The number of sessions that have not ended in the store.
    var sessionCount: Int {
        closings.count + runningGroup.closings.count
    }

    /// The sessions that have not ended in the store.
    var closingSessions: [AgentID: SessionEpoch] {
        let epochs = (runningGroup.closings + Array(closings)).map { ($0.agent, $0.epoch) }
        return Dictionary(epochs, uniquingKeysWith: max)
    }

    /// The sequences of the transient notifications whose ends are not in the store.
    var endingSequences: Set<Int> {
        let ends = runningGroup.ends + Array(ends)
        let endsOfSessions = (runningGroup.closings + Array(closings)).flatMap(\.report.ends)
        return Set((ends + endsOfSessions).map(\.sequence))
    }

    /// Adds work to the end of the queue.
    mutating func add(_ followUp: FollowUp) {
        closings += followUp.closings
        ends += followUp.ends
        for (namespace, attempts) in followUp.attempts {
            pendingAttempts += attempts.map { PendingAttempts(namespace: namespace, sequence: $0, attempts: $1) }
        }
    }

    /// Removes and returns the next group; `nil` if no work waits.
    mutating func nextGroup() -> FollowUp? {
        var group = FollowUp()
        group.closings = removeFirstClosings()
        group.ends = Array(ends.prefix(Self.maximumItems))
        ends.removeFirst(group.ends.count)
        let sent = Array(pendingAttempts.prefix(Self.maximumItems - group.ends.count))
        pendingAttempts.removeFirst(sent.count)
        for notification in sent {
            group.add([notification.sequence: notification.attempts], in: notification.namespace)
        }
        runningGroup = group
        return group.isEmpty ? nil : group
    }

    /// Records the end of the group, and adds the part of it that the store did not accept to the end of the queue.
    mutating func finishGroup(_ rest: FollowUp) {
        runningGroup = FollowUp()
        sessionLimit = rest.isEmpty ? min(2 * sessionLimit, Self.maximumSessions) : 1
        add(rest)
    }

    /// Removes and returns all waiting work.
    mutating func removeAll() -> FollowUp {
        var all = FollowUp(ends: Array(ends), closings: Array(closings))
        for notification in pendingAttempts {
            all.add([notification.sequence: notification.attempts], in: notification.namespace)
        }
        self = Self()
        return all
    }

    private mutating func removeFirstClosings() -> [FollowUp.Closing] {
        var itemCount = 0
        let count = closings.prefix(sessionLimit).prefix { closing in
            itemCount += closing.itemCount
            return itemCount <= Self.maximumItems
        }.count
        let first = Array(closings.prefix(max(count, 1)))
        closings.removeFirst(first.count)
        return first
    }
}
