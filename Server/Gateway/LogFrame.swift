internal import Foundation
internal import NIOCore
internal import WaypostSchema

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
