internal import Deflate
internal import GatewayStore
internal import NIOCore
internal import WaypostSchema

/// The frames of the courier's event stream (WHATWG HTML, server-sent events).
enum EventFrame {
    /// A comment that says why nothing comes.
    static let waiting = ": more is in the inbox, and comes once some of this is acknowledged (POST /v1/acks)\n\n"

    /// Appends the last event of a stream, which says why it ends (`StreamEnd`).
    static func append(_ reason: StreamEnd.Reason, to buffer: inout ByteBuffer) {
        buffer.writeString("event: end\ndata: {\"reason\":")
        appendJSON(reason.rawValue, to: &buffer)
        buffer.writeString(",\"message\":")
        appendJSON(message(of: reason), to: &buffer)
        buffer.writeString("}\n\n")
    }

    private static func message(of reason: StreamEnd.Reason) -> String {
        switch reason {
        case .replaced: "another stream was opened with this secret; one of the two is one too many"
        case .shuttingDown: "the gateway shuts down; come back in a while"
        case .reset: "the namespace was reset; register the device again"
        case .failed: "the gateway could not read the inbox, its log says why; come back in a while"
        case .tooSlow: "nothing of the stream was read for a while; it goes on where it was when you come back"
        default: "come back"
        }
    }

    /// Appends the event of a notification, whose `data` is one line of JSON (`DeliveredNotification`).
    ///
    /// The payload goes out byte for byte as it came, but that line breaks between its tokens become spaces: a line
    /// break would end the `data` line. Inside a JSON string there are none.
    static func append(_ stored: StoredNotification, to buffer: inout ByteBuffer) {
        let notification = stored.notification
        buffer.writeString("event: notification\n")
        // A stream is resumed behind the last identifier; what is now or never comes out of its turn, and is no place for that.
        if !notification.isTransient { buffer.writeString("id: \(stored.sequence)\n") }
        buffer.writeString("data: {\"sequence\":\(stored.sequence),\"id\":")
        appendJSON(notification.id.rawValue, to: &buffer)
        buffer.writeString(",\"token\":")
        appendJSON(notification.token.rawValue, to: &buffer)
        buffer.writeString(",\"topic\":")
        appendJSON(notification.topic.rawValue, to: &buffer)
        buffer.writeString(",\"pushType\":")
        appendJSON(notification.pushType.rawValue, to: &buffer)
        buffer.writeString(",\"priority\":\(notification.priority)")
        if let expiration = notification.expiration { buffer.writeString(",\"expiration\":\(expiration)") }
        if let collapseID = notification.collapseID {
            buffer.writeString(",\"collapseID\":")
            appendJSON(collapseID.rawValue, to: &buffer)
        }
        buffer.writeString(",\"payload\":")
        appendOnOneLine(notification.payload, to: &buffer)
        buffer.writeString("}\n\n")
    }

    private static func appendOnOneLine(_ payload: [UInt8], to buffer: inout ByteBuffer) {
        let lineBreaks: Set<UInt8> = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        guard payload.contains(where: lineBreaks.contains) else {
            buffer.writeBytes(payload)
            return
        }
        buffer.writeBytes(payload.map { lineBreaks.contains($0) ? UInt8(ascii: " ") : $0 })
    }

    /// Appends a JSON string: what RFC 8259, section 7 wants escaped is, nothing else.
    private static func appendJSON(_ text: String, to buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.writeBytes([UInt8(ascii: "\\"), byte])
            case 0..<0x20: buffer.writeString("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
            default: buffer.writeInteger(byte)
            }
        }
        buffer.writeInteger(UInt8(ascii: "\""))
    }
}

/// The gzip coding of one event stream, in which each group of events can be read as soon as it has come.
///
/// With zlib's defaults a stream would cost 256 KiB, as long as it is open; a window of 1 KiB and the least memory cost
/// a few, and lose little on events that are short and alike.
struct EventCompression: ~Copyable {
    private var deflater = Deflater(.gzip, memory: .least)

    /// Returns the coded form of a group of events.
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
