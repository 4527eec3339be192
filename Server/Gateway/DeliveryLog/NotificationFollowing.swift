internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// An open answer that follows the delivery log: what is there, where that was asked for, and then each change.
///
/// Of a notification that changes several times before it is looked at there is one event; its history has everything.
struct NotificationFollowing: Sendable {
    /// The time between two comments, by which both ends see that the other is there.
    private static let heartbeatInterval = Duration.seconds(15)

    /// The most notifications that are read in one go.
    private static let page = 500

    let log: DeliveryLogReader
    let selection: LogSelection

    /// The sequence behind which the answer begins with what is there; `nil` for changes alone.
    let start: Int?

    let follower: LogFollower

    /// Writes events until the gateway shuts down, the reader leaves or does not keep up.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: Self.heartbeatInterval)
                    follower.changes.noteHeartbeat()
                }
            }
            try await withGracefulShutdownHandler {
                try await follow(&writer)
            } onGracefulShutdown: {
                follower.changes.end(.shuttingDown)
            }
            group.cancelAll()
        }
        try await writer.finish(nil)
    }

    @concurrent
    private func follow(_ writer: inout any ResponseBodyWriter) async throws {
        // Something must follow the head at once, so that a client sees that it is connected.
        try await writer.write(ByteBuffer(string: ServerSentEventText.heartbeat))
        do {
            guard try await writeBacklog(&writer) else { return }
            for await _ in follower.changes.signals {
                guard try await writeChanges(&writer) else { return }
            }
        } catch let error as GatewayError {
            // The reader is told; what the store said is in the gateway's log.
            try await writer.write(LogFrame.end(error == .shuttingDown ? .shuttingDown : .failed))
        }
    }

    /// Writes what is there, and what changes of it meanwhile; returns whether the stream goes on.
    @concurrent
    private func writeBacklog(_ writer: inout any ResponseBodyWriter) async throws -> Bool {
        var cursor = start
        while let position = cursor {
            follower.changes.limit(to: LogChangeBuffer.everything)
            let page = try await log.page(selection, after: position, limit: Self.page)
            // What changes behind this page is on the next one; who reads slowly need not remember it.
            if let next = page.next { follower.changes.limit(to: 0..<next + 1) }
            try await write(page.notifications, &writer)
            guard try await writeChanges(&writer) else { return false }
            cursor = page.next
        }
        return true
    }

    /// Writes what has changed; returns whether the stream goes on.
    @concurrent
    private func writeChanges(_ writer: inout any ResponseBodyWriter) async throws -> Bool {
        let changes = follower.changes.take()
        var sequences = changes.sequences.ranges.joined()[...]
        while !sequences.isEmpty, follower.changes.end == nil {
            let page = Array(sequences.prefix(Self.page))
            try await write(try await log.notifications(selection, at: page), &writer)
            sequences = sequences.dropFirst(Self.page)
        }
        if changes.isHeartbeatDue { try await writer.write(ByteBuffer(string: ServerSentEventText.heartbeat)) }
        guard let reason = follower.changes.end else { return true }
        try await writer.write(LogFrame.end(reason))
        return false
    }

    @concurrent
    private func write(
        _ notifications: [NotificationRecord],
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        guard !notifications.isEmpty else { return }
        try await writer.write(LogFrame.events(notifications))
    }
}

/// The events of a stream that follows the delivery log.
enum LogFrame {
    /// Returns an event for each notification (`NotificationRecord`).
    static func events(_ notifications: [NotificationRecord]) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        for notification in notifications {
            buffer.writeImmutableBuffer(try ServerSentEventText.make("notification", notification))
        }
        return buffer
    }

    /// Returns the last event of a stream, which says why it ends.
    static func end(_ reason: StreamEnd.Reason) throws -> ByteBuffer {
        try ServerSentEventText.make("end", StreamEnd(reason: reason, message: message(of: reason)))
    }

    private static func message(of reason: StreamEnd.Reason) -> String {
        switch reason {
        case .shuttingDown: "the gateway shuts down; come back in a while"
        case .reset: "the namespace was reset, and its log with it"
        case .tooSlow:
            "more has changed than is remembered for a reader that does not keep up; 'since' and 'after' list what was missed"
        default: "the gateway could not read the log, its own log says why; come back in a while"
        }
    }
}
