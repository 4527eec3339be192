internal import Deflate
internal import GatewayStore
internal import NIOCore
internal import WaypostSchema

/// The frames of the courier's event stream (WHATWG HTML, server-sent events).
enum EventFrame {
    /// The comment that tells a client why no more notifications arrive.
    static let windowFullComment =
        ": the inbox has more notifications; acknowledge these to receive them (in the body of POST /v1/session, or by POST /v1/acks)\n\n"

    /// Appends the last event of a stream, which contains the reason for its end (`StreamEnd`).
    ///
    /// - Parameters:
    ///   - reason: the reason.
    ///   - details: the details of this end; `nil` if the reason says everything.
    ///   - buffer: the buffer.
    static func append(_ reason: StreamEnd.Reason, _ details: String? = nil, to buffer: inout ByteBuffer) {
        buffer.writeString("event: end\ndata: {\"reason\":")
        appendJSON(reason.rawValue, to: &buffer)
        buffer.writeString(",\"message\":")
        appendJSON(details ?? message(of: reason), to: &buffer)
        buffer.writeString("}\n\n")
    }

    private static func message(of reason: StreamEnd.Reason) -> String {
        switch reason {
        case .replaced: "another stream was opened with this secret; an agent can have only one"
        case .shuttingDown: "the gateway is shutting down; reconnect later"
        case .reset: "the namespace was reset; register the device again"
        case .failed: "the gateway could not read the inbox (see its log); reconnect later"
        case .disconnected: "an operator ended this stream; reconnect to resume it"
        case .tooSlow: "the client stopped reading the stream; reconnect to resume it"
        default: "reconnect"
        }
    }

    /// Appends the event of a notification, whose `data` is one line of JSON (`DeliveredNotification`).
    ///
    /// The payload is sent byte for byte as it was received, except that line breaks between its tokens become spaces:
    /// a line break would end the `data` line. A JSON string contains no line breaks.
    static func append(_ stored: StoredNotification, to buffer: inout ByteBuffer) {
        let notification = stored.notification
        buffer.writeString("event: notification\n")
        // A stream resumes after the last identifier. A transient notification arrives out of order, so a stream cannot
        // resume from it.
        let sequence = String(stored.sequence)
        if !notification.isTransient {
            buffer.writeString("id: ")
            buffer.writeString(sequence)
            buffer.writeString("\n")
        }
        buffer.writeString("data: {\"sequence\":")
        buffer.writeString(sequence)
        buffer.writeString(",\"id\":")
        appendJSON(notification.id.rawValue, to: &buffer)
        buffer.writeString(",\"token\":")
        appendJSON(notification.token.rawValue, to: &buffer)
        buffer.writeString(",\"topic\":")
        appendJSON(notification.topic.rawValue, to: &buffer)
        buffer.writeString(",\"pushType\":")
        appendJSON(notification.pushType.rawValue, to: &buffer)
        buffer.writeString(",\"priority\":")
        buffer.writeString(String(notification.priority))
        if let expiration = notification.expiration { buffer.writeString(",\"expiration\":\(expiration)") }
        if let collapseID = notification.collapseID {
            buffer.writeString(",\"collapseID\":")
            appendJSON(collapseID.rawValue, to: &buffer)
        }
        if let traceparent = notification.traceparent {
            buffer.writeString(",\"traceparent\":")
            appendJSON(traceparent.rawValue, to: &buffer)
        }
        buffer.writeString(",\"payload\":")
        appendOnOneLine(notification.payload, to: &buffer)
        buffer.writeString("}\n\n")
    }

    /// Returns an estimate of the size in bytes of the event of a notification, without encoding it.
    ///
    /// It is too low only if a topic or a collapse identifier needs escapes.
    static func estimatedSize(of stored: StoredNotification) -> Int {
        let notification = stored.notification
        return maximumEnvelopeSize + notification.payload.count + notification.token.rawValue.utf8.count
            + notification.topic.rawValue.utf8.count + (notification.collapseID?.rawValue.utf8.count ?? 0)
    }

    /// The maximum size in bytes of the names and the other values of an event: numbers, a UUID, a push type, a trace.
    private static let maximumEnvelopeSize = 384

    private static func appendOnOneLine(_ payload: [UInt8], to buffer: inout ByteBuffer) {
        guard payload.contains(where: isLineBreak) else {
            buffer.writeBytes(payload)
            return
        }
        buffer.writeBytes(payload.map { isLineBreak($0) ? UInt8(ascii: " ") : $0 })
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Appends a JSON string; escapes only the characters that RFC 8259, section 7 requires.
    private static func appendJSON(_ string: String, to buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt8(ascii: "\""))
        let isPlain = string.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if isPlain { buffer.writeString(string) }
        for byte in string.utf8 where !isPlain {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.writeBytes([UInt8(ascii: "\\"), byte])
            case 0..<0x20: buffer.writeString("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
            default: buffer.writeInteger(byte)
            }
        }
        buffer.writeInteger(UInt8(ascii: "\""))
    }
}

/// The gzip coding of one event stream; the client can read each group of events as soon as it arrives.
///
/// With zlib's defaults, an open stream would use 256 KiB. With a window of 1 KiB and the least memory it uses a few
/// KiB, and loses little compression, as events are short and similar.
struct EventCompression: ~Copyable {
    private var deflater = Deflater(.gzip, memory: .minimal)

    /// Returns the compressed form of a group of events.
    mutating func compress(_ events: ByteBuffer, isLast: Bool) -> ByteBuffer {
        var output: [UInt8] = []
        events.withUnsafeReadableBytes { bytes in
            _ = deflater.deflate(bytes, appendingTo: &output, atMost: .max)
        }
        _ =
            isLast
            ? deflater.finish(appendingTo: &output, atMost: .max)
            : deflater.flush(appendingTo: &output, atMost: .max)
        return ByteBuffer(bytes: output)
    }
}
