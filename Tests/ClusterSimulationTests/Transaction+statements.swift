/// The rows that statements lock.
extension Transaction {
    /// Returns the rows that a statement changes, or locks for later statements, in order.
    func rows(of statement: Statement, in view: Tables, _ handle: GatewayProcess.Handle) -> [Database.Row] {
        switch statement {
        case .lockAgents(let agents), .lockAndReadSessions(let agents): agents.map { .agent($0) }
        case .lockFound: memory.found.map { .agent($0.agent) }
        case .openSession(let agent, _), .deleteSession(let agent, _, _): [.session(agent)]
        case .markLate: memory.nudged.union(memory.foreign).sorted().map { .session($0) }
        case .deleteFoundSessions: memory.found.map { .session($0.agent) }
        case .settle(let ends): (ends ?? memory.settlements).map { .flight($0.notification.sequence) }
        case .collapse: superseded(in: view).map { .item($0.sequence) }
        case .deleteItems(_, let notifications): notifications.map { .item($0.sequence) }
        case .deleteExpired(let now): view.expired(at: now).map { .item($0.sequence) }
        case .markAsRead(_, let sequences): sequences.map { .flight($0) }
        case .deleteHandlesOfEndedGateways: endedHandles(in: view).map { .handle($0) }
        case .updateHandle, .rejoin: [.handle(handle.number)]
        default: []
        }
    }

    private func endedHandles(in view: Tables) -> [Int] {
        view.handles.filter { view.beats[$0.value.gateway] == nil }.keys.sorted()
    }

    /// Returns the notifications that a newer one supersedes, because their agents have no session.
    private func superseded(in view: Tables) -> [Notification] {
        memory.closed.filter(Tables.keepsOnlyNewest).flatMap { view.inbox(of: $0).dropLast() }
    }
}

/// The effects of statements.
extension Transaction {
    /// Adds the changes and effects of a statement; returns `false` if the handle of the gateway no longer exists.
    mutating func apply(
        _ statement: Statement,
        to view: Tables,
        _ counters: inout Database.Counters,
        _ handle: GatewayProcess.Handle
    ) throws(Violation) -> Bool {
        switch statement {
        case .lockAgents, .lockFound, .lockAndReadSessions, .commit: break
        case .drawSequences(let count):
            memory.first = counters.sequence + 1
            counters.sequence += count
        case .readSessions: memory.sessions = view.sessions
        case .insert(let notifications): insert(notifications, handle)
        case .markLate: markLate()
        case .openSession(let agent, let connection): openSession(agent, connection, &counters, handle)
        case .deleteSession(let agent, let epoch, let ends): try deleteSession(agent, epoch, ends, view)
        case .findUnread: findUnread(view)
        case .settle(let ends): try settle(ends ?? memory.settlements, view)
        case .collapse: try collapse(view)
        case .deleteItems(let agent, let notifications): try deleteItems(agent, notifications, view)
        case .deleteExpired(let now): deleteExpired(at: now, view)
        case .markAsRead(let page, let sequences): markAsRead(page, sequences, view, handle)
        case .deleteHandlesOfEndedGateways:
            for number in endedHandles(in: view) { writes.append { $0.handles[number] = nil } }
        case .findSessionsOfEndedGateways: findSessions(view)
        case .deleteFoundSessions: try deleteFoundSessions(view)
        case .findFlightsOfEndedGateways: findFlights(view)
        case .updateHandle:
            guard view.handles[handle.number] != nil else { return false }
            writes.append { $0.handles[handle.number]?.commits = handle.commits + 1 }
        case .leave(let gateway): return handle.gateway != gateway
        case .rejoin: rejoin(&counters, handle)
        }
        return true
    }
}

/// Appending.
extension Transaction {
    private mutating func insert(_ notifications: [Notification], _ handle: GatewayProcess.Handle) {
        let sessions = memory.sessions ?? [:]
        (memory.sessions, memory.payloads, memory.nudged, memory.foreign) = (nil, [], [], [])
        memory.last = memory.first + notifications.count - 1
        for (index, notification) in notifications.enumerated() {
            var stored = notification
            stored.sequence = memory.first + index
            let session = sessions[stored.agent]
            let isPayload = session?.gateway == handle.gateway && session?.late == nil
            accepted.append(stored)
            writes.append { [stored] in $0.insert(stored, for: session?.gateway, isUnread: !isPayload) }
            guard let session else { continue }
            if isPayload {
                memory.payloads.append(stored)
            } else if session.gateway == handle.gateway {
                memory.nudged.insert(stored.agent)
            } else {
                memory.foreign.insert(stored.agent)
            }
        }
        memory.closed = Set(notifications.map(\.agent)).filter { sessions[$0] == nil }.sorted()
    }

    private mutating func markLate() {
        let (nudged, foreign, last) = (memory.nudged.sorted(), memory.foreign.sorted(), memory.last)
        let marked = rules.has(.nudgeWithoutLateMark) ? [] : foreign
        writes.append { tables in
            for agent in nudged { tables.sessions[agent]?.late = nil }
            for agent in marked { tables.sessions[agent]?.late = last }
        }
        effects += [.tellOthers(.nudge(foreign)), .nudge(nudged), .handOver(memory.payloads)]
    }
}

/// Sessions.
extension Transaction {
    private mutating func openSession(
        _ agent: Int,
        _ connection: Int,
        _ counters: inout Database.Counters,
        _ handle: GatewayProcess.Handle
    ) {
        counters.epoch += 1
        let session = Tables.Session(gateway: handle.gateway, epoch: counters.epoch)
        writes.append { $0.sessions[agent] = session }
        effects += [
            .opened(agent: agent, epoch: session.epoch, connection: connection),
            .tellOthers(.sessionOpened(agent: agent, epoch: session.epoch)),
        ]
    }

    private mutating func deleteSession(
        _ agent: Int,
        _ epoch: Int,
        _ ends: [Settlement],
        _ view: Tables
    ) throws(Violation) {
        (memory.closed, memory.settlements) = ([], [])
        if try remove(agent, epoch, view, isFenced: !rules.has(.unfencedClose)) {
            memory.settlements = ends
        } else if !ends.isEmpty {
            effects.append(.outdated(ends))
        }
    }

    private mutating func deleteFoundSessions(_ view: Tables) throws(Violation) {
        memory.closed = []
        for session in memory.found {
            _ = try remove(session.agent, session.epoch, view, isFenced: !rules.has(.settleWithoutEpoch))
        }
    }

    /// Deletes a session; returns whether it was there.
    private mutating func remove(
        _ agent: Int,
        _ epoch: Int,
        _ view: Tables,
        isFenced: Bool
    ) throws(Violation) -> Bool {
        guard let present = view.sessions[agent], present.epoch == epoch || !isFenced else { return false }
        guard present.epoch == epoch else {
            throw Violation("closing session \(epoch) of agent \(agent) closes session \(present.epoch)")
        }
        writes.append { $0.sessions[agent] = nil }
        memory.closed.append(agent)
        return true
    }

    private mutating func findSessions(_ view: Tables) {
        memory.found = view.sessions.filter { view.beats[$0.value.gateway] == nil }
            .map { (agent: $0.key, epoch: $0.value.epoch) }.sorted { $0.agent < $1.agent }
    }

    private mutating func findUnread(_ view: Tables) {
        memory.settlements = memory.closed.flatMap { view.unread(of: $0) }
            .map { Settlement(notification: $0, end: .dropped) }
    }

    private mutating func findFlights(_ view: Tables) {
        let flights = view.flightsOfEndedGateways
        memory.settlements = flights.map { Settlement(notification: $0, end: .dropped) }
        effects.append(.cleanedUpAfterEndedGateways(count: memory.found.count + flights.count))
    }

    private mutating func rejoin(_ counters: inout Database.Counters, _ handle: GatewayProcess.Handle) {
        counters.gateway += 1
        let gateway = counters.gateway
        writes.append { tables in
            tables.beats[gateway] = 0
            tables.handles[handle.number] = Tables.Handle(gateway: gateway, commits: handle.commits + 1)
        }
        effects.append(.rejoined(gateway: gateway))
    }
}

/// Notifications.
extension Transaction {
    private mutating func settle(_ settlements: [Settlement], _ view: Tables) throws(Violation) {
        for settlement in settlements {
            let sequence = settlement.notification.sequence
            guard let present = view.flights[sequence]?.notification else { continue }
            guard present == settlement.notification else {
                throw Violation("the end of \(settlement.notification) ends \(present)")
            }
            writes.append { $0.removeFlight(sequence, as: settlement.end) }
        }
    }

    private mutating func collapse(_ view: Tables) throws(Violation) {
        for notification in superseded(in: view) {
            guard view.sessions[notification.agent] == nil else {
                throw Violation("the inbox of agent \(notification.agent) collapses, but it has a session")
            }
            writes.append { $0.removeItem(notification.sequence, as: .collapsed) }
        }
    }

    private mutating func deleteItems(
        _ agent: Int,
        _ notifications: [Notification],
        _ view: Tables
    ) throws(Violation) {
        for notification in notifications {
            guard let present = view.items[notification.sequence], present.agent == agent else { continue }
            guard present == notification else {
                throw Violation("the acknowledgement of \(notification) removes \(present)")
            }
            writes.append { $0.removeItem(notification.sequence, as: .acknowledged) }
        }
        effects += [
            .acknowledged(agent: agent, notifications),
            .tellOthers(.removed(agent: agent, notifications.map(\.sequence))),
        ]
    }

    private mutating func deleteExpired(at now: Int, _ view: Tables) {
        let expired = view.expired(at: now)
        for notification in expired {
            writes.append { $0.removeItem(notification.sequence, as: .expired) }
            effects.append(.tellOthers(.removed(agent: notification.agent, [notification.sequence])))
        }
        effects.append(.forget(expired))
    }

    private mutating func markAsRead(
        _ page: Int,
        _ sequences: [Int],
        _ view: Tables,
        _ handle: GatewayProcess.Handle
    ) {
        let taken = sequences.filter { view.flights[$0]?.isUnread == true }
        writes.append { tables in
            for sequence in taken {
                tables.flights[sequence]?.isUnread = false
                tables.flights[sequence]?.gateway = handle.gateway
            }
        }
        effects.append(.taken(page: page, taken))
    }
}
