internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// Writes a response that follows the delivery log: the existing records, if requested, and then each change.
///
/// Several changes of a notification between two reads are one event; its history contains all of them.
struct NotificationStreamWriter: Sendable {
    /// The time between two comments, which show both ends that the connection is alive.
    private static let heartbeatInterval = Duration.seconds(15)

    /// The maximum number of notifications per read.
    private static let pageSize = 500

    let log: DeliveryLogReader
    let filter: LogFilter

    /// The sequence after which the response starts with the existing records; `nil` for changes only.
    let start: Int?

    let follower: LogFollower

    /// The lists that the stream follows, too; `nil` for notifications only.
    let lists: ActivityLists?

    /// Writes events until the gateway shuts down, or the client disconnects or does not keep up.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: Self.heartbeatInterval)
                    follower.changes.requestHeartbeat()
                    // A run that stops reporting becomes interrupted without an event.
                    if lists?.runs.hasOpenRuns(in: filter.namespace) == true { follower.changes.add(.runs) }
                }
            }
            if let lists {
                for list in ActivityLists.List.allCases {
                    group.addTask {
                        for await _ in lists.changes(of: list, in: filter.namespace) { follower.changes.add(list) }
                    }
                }
            }
            try await withGracefulShutdownHandler {
                try await follow(&writer)
            } onGracefulShutdown: {
                follower.changes.end(.shuttingDown)
            }
            group.cancelAll()
        }
    }

    @concurrent
    private func follow(_ writer: inout any ResponseBodyWriter) async throws {
        var agentPlace: Int?
        // Something must follow the head at once, so that the client sees that it is connected.
        try await writer.write(ByteBuffer(string: ServerSentEventText.heartbeat))
        do {
            guard try await writeBacklog(&writer, agentPlace: &agentPlace) else { return }
            for await _ in follower.changes.signals {
                guard try await writeChanges(&writer, agentPlace: &agentPlace) else { return }
            }
        } catch let error as GatewayError {
            // The client gets an `end` event; the store's error is in the gateway's log.
            try await writer.write(LogFrame.end(error == .shuttingDown ? .shuttingDown : .failed))
        }
    }

    /// Writes the existing records and their changes in the meantime; returns whether the stream continues.
    @concurrent
    private func writeBacklog(
        _ writer: inout any ResponseBodyWriter,
        agentPlace: inout Int?
    ) async throws -> Bool {
        var cursor = start
        while let position = cursor {
            follower.changes.limit(to: LogChangeBuffer.everything)
            let page = try await log.page(filter, after: position, limit: Self.pageSize)
            // A later page contains its changes anyway, so they need not be buffered for a slow client.
            if let next = page.next { follower.changes.limit(to: 0..<next + 1) }
            try await write(page.notifications, &writer)
            guard try await writeChanges(&writer, agentPlace: &agentPlace) else { return false }
            cursor = page.next
        }
        return true
    }

    /// Writes the changes; returns whether the stream continues.
    ///
    /// - Parameters:
    ///   - writer: writes the response.
    ///   - agentPlace: the place up to which the changes of agents are written (`LinkedAgents.update`).
    /// - Returns: whether the stream continues.
    /// - Throws: an error of the store, or of the connection.
    @concurrent
    private func writeChanges(
        _ writer: inout any ResponseBodyWriter,
        agentPlace: inout Int?
    ) async throws -> Bool {
        let changes = follower.changes.take()
        var sequences = changes.sequences.ranges.joined()[...]
        while !sequences.isEmpty, follower.changes.end == nil {
            let page = Array(sequences.prefix(Self.pageSize))
            try await write(try await log.notifications(filter, at: page), &writer)
            sequences = sequences.dropFirst(Self.pageSize)
        }
        if let lists {
            if changes.lists.contains(.agents) {
                let (update, place) = lists.agents.update(after: agentPlace, in: filter.namespace)
                agentPlace = place
                try await write(update, &writer)
            }
            if changes.lists.contains(.runs) {
                try await ServerSentEventText.write(try lists.runsEvent(in: filter.namespace), to: &writer)
            }
        }
        if changes.isHeartbeatDue { try await writer.write(ByteBuffer(string: ServerSentEventText.heartbeat)) }
        guard let reason = follower.changes.end else { return true }
        try await writer.write(LogFrame.end(reason))
        return false
    }

    @concurrent
    private func write(_ update: LinkedAgents.Update, _ writer: inout any ResponseBodyWriter) async throws {
        switch update {
        case .list(let agents): try await ServerSentEventText.writeList(agents, as: "agents", to: &writer)
        case .changes(let changes):
            for change in changes { try await writer.write(try LogFrame.event(of: change)) }
        }
    }

    @concurrent
    private func write(
        _ notifications: [NotificationRecord],
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        try await ServerSentEventText.write(notifications, as: "notification", to: &writer)
    }
}

/// The lists of a namespace that a stream can follow beside its notifications.
struct ActivityLists: Sendable {
    /// A list.
    enum List: CaseIterable {
        case agents
        case runs
    }

    let agents: AgentLinks
    let runs: ReportedRuns

    /// Returns a stream with an element now, and one after changes of a list.
    func changes(of list: List, in namespace: Namespace) -> AsyncStream<Void> {
        switch list {
        case .agents: agents.changes.changes(of: namespace, startingNow: true)
        case .runs: runs.changes.changes(of: namespace, startingNow: true)
        }
    }

    /// Returns an event with the list of runs, which is short (`ReportedRuns.capacity`).
    func runsEvent(in namespace: Namespace) throws -> ByteBuffer {
        try ServerSentEventText.make("runs", ReportedRunList(runs: runs.list(in: namespace)))
    }
}

/// The events of a stream that follows the delivery log.
enum LogFrame {
    /// Returns an event for a change of the linked agents (`LinkedAgent`).
    static func event(of change: LinkedAgents.Change) throws -> ByteBuffer {
        switch change {
        case .linked(let agent): try ServerSentEventText.make("agentLinked", agent)
        case .left(let agent): try ServerSentEventText.make("agentLeft", agent)
        }
    }

    /// Returns the last event of a stream, which contains the reason for its end.
    static func end(_ reason: StreamEnd.Reason) throws -> ByteBuffer {
        try ServerSentEventText.make("end", StreamEnd(reason: reason, message: message(of: reason)))
    }

    private static func message(of reason: StreamEnd.Reason) -> String {
        switch reason {
        case .shuttingDown: "the gateway is shutting down; reconnect later"
        case .reset: "the namespace was reset, including its log"
        case .tooSlow:
            "the client did not keep up with the changes; use 'since' or 'after' to list the missed ones"
        default: "the gateway could not read the delivery log (see its own log); reconnect later"
        }
    }
}
