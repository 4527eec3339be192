/// A statement of a transaction.
enum Statement {
    case lockAgents([Int])
    case lockFound
    case drawSequences(Int)
    case readSessions([Int])

    /// Locks agents, and reads their sessions as they were before the locks.
    case lockAndReadSessions([Int])
    case insert([Notification])
    case markLate
    case openSession(agent: Int, connection: Int)
    case deleteSession(agent: Int, epoch: Int, ends: [Settlement])
    case findUnread

    /// Ends transient notifications: these, or those that were found.
    case settle([Settlement]?)

    /// Removes all notifications but the newest from the inboxes of agents whose sessions were closed.
    case collapse
    case deleteItems(agent: Int, [Notification])
    case deleteExpired(at: Int)
    case markAsRead(page: Int, [Int])
    case deleteHandlesOfEndedGateways
    case findSessionsOfEndedGateways
    case deleteFoundSessions
    case findFlightsOfEndedGateways

    /// Fails if the handle no longer exists.
    case updateHandle

    /// Fails as if the handle no longer existed, if the process still is this gateway.
    case leave(gateway: Int)

    /// Adds the handle again, for a new gateway.
    case rejoin
    case commit
}

extension Change {
    /// Returns the statements that make the change.
    func statements(_ rules: Rules) -> [Statement] {
        switch self {
        case .append(let notifications): Self.append(notifications, rules)
        case .open(let agent, let connection):
            (rules.has(.openWithoutLock) ? [] : [.lockAgents([agent])])
                + [.openSession(agent: agent, connection: connection)]
        case .close(let agent, let epoch, let ends):
            [
                .lockAgents([agent]), .deleteSession(agent: agent, epoch: epoch, ends: ends), .settle(nil),
                .findUnread, .settle(nil), .collapse,
            ]
        case .acknowledge(let agent, let notifications): [.deleteItems(agent: agent, notifications)]
        case .settle(let ends): [.settle(ends)]
        case .sweep(let now): [.deleteExpired(at: now)]
        case .take(let page, let sequences): [.markAsRead(page: page, sequences)]
        case .cleanUpAfterEndedGateways:
            [
                .deleteHandlesOfEndedGateways, .findSessionsOfEndedGateways, .lockFound, .deleteFoundSessions,
                .findUnread, .settle(nil), .collapse, .findFlightsOfEndedGateways, .settle(nil),
            ]
        case .joinAgain(let gateway): [.leave(gateway: gateway)]
        }
    }

    private static func append(_ notifications: [Notification], _ rules: Rules) -> [Statement] {
        let agents = Set(notifications.map(\.agent)).sorted()
        let draw = Statement.drawSequences(notifications.count)
        let arrival: [Statement] =
            if rules.has(.lockAfterTake) {
                [draw, .lockAgents(agents), .readSessions(agents)]
            } else if rules.has(.readWithLock) {
                [.lockAndReadSessions(agents), draw]
            } else {
                [.lockAgents(agents), .readSessions(agents), draw]
            }
        return arrival + [.insert(notifications), .collapse, .markLate]
    }
}
