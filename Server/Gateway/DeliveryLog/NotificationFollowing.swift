internal import Foundation
internal import Hummingbird
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

    let mailroom: Mailroom
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
                    follower.mailbox.noteHeartbeat()
                }
            }
            try await withGracefulShutdownHandler {
                try await follow(&writer)
            } onGracefulShutdown: {
                follower.mailbox.end(.shuttingDown)
            }
            group.cancelAll()
        }
        try await writer.finish(nil)
    }

    @concurrent
    private func follow(_ writer: inout any ResponseBodyWriter) async throws {
        // Something must follow the head at once, so that a client sees that it is connected.
        try await writer.write(ByteBuffer(string: EventFrame.heartbeat))
        do {
            guard try await writeBacklog(&writer) else { return }
            for await _ in follower.mailbox.nudges {
                guard try await writeMail(&writer) else { return }
            }
        } catch let fault as GatewayError {
            // The reader is told; what the store said is in the gateway's log.
            try await writer.write(LogFrame.end(fault == .shuttingDown ? .shuttingDown : .failed))
        }
    }

    /// Writes what is there, and what changes of it meanwhile; returns whether the stream goes on.
    @concurrent
    private func writeBacklog(_ writer: inout any ResponseBodyWriter) async throws -> Bool {
        var cursor = start
        while let position = cursor {
            follower.mailbox.limit(to: LogChangeBuffer.everything)
            let page = try await mailroom.page(selection, after: position, limit: Self.page)
            // What changes behind this page is on the next one; who reads slowly need not remember it.
            if let next = page.next { follower.mailbox.limit(to: 0..<next + 1) }
            try await write(page.notifications, &writer)
            guard try await writeMail(&writer) else { return false }
            cursor = page.next
        }
        return true
    }

    /// Writes what has changed; returns whether the stream goes on.
    @concurrent
    private func writeMail(_ writer: inout any ResponseBodyWriter) async throws -> Bool {
        let mail = follower.mailbox.take()
        var changed = mail.changed.ranges.joined()[...]
        while !changed.isEmpty, follower.mailbox.end == nil {
            let sequences = Array(changed.prefix(Self.page))
            try await write(try await mailroom.notifications(selection, at: sequences), &writer)
            changed = changed.dropFirst(Self.page)
        }
        if mail.isHeartbeatDue { try await writer.write(ByteBuffer(string: EventFrame.heartbeat)) }
        guard let reason = follower.mailbox.end else { return true }
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

/// The frames of a stream that follows the delivery log (WHATWG HTML, server-sent events).
enum LogFrame {
    /// Returns an event for each notification, whose `data` is one line of JSON (`NotificationRecord`).
    static func events(_ notifications: [NotificationRecord]) throws -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var buffer = ByteBuffer()
        for notification in notifications {
            buffer.writeString("event: notification\ndata: ")
            buffer.writeBytes(try encoder.encode(notification))
            buffer.writeString("\n\n")
        }
        return buffer
    }

    /// Returns the last event of a stream, which says why it ends (`StreamEnd`).
    static func end(_ reason: StreamEnd.Reason) throws -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var buffer = ByteBuffer(string: "event: end\ndata: ")
        buffer.writeBytes(try encoder.encode(StreamEnd(reason: reason, message: message(of: reason))))
        buffer.writeString("\n\n")
        return buffer
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
