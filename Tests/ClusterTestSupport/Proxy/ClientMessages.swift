/// The messages that a client of PostgreSQL sends, parsed from pieces of any size (PostgreSQL, 55.7, "Message
/// Formats").
struct ClientMessages {
    /// The content of a message that a test reacts to.
    enum Content: Equatable {
        /// A statement is prepared under a name.
        case parse(name: String, sql: String)

        /// A prepared statement is about to be executed.
        case bind(statement: String)

        /// Statements are executed at once.
        case query(sql: String)

        /// The pipeline ends here.
        case sync

        case other
    }

    /// A whole message.
    struct Message: Equatable {
        let content: Content

        /// The bytes of the message, with its header.
        let bytes: [UInt8]
    }

    /// The codes of requests for encryption, which precede the start-up message: `SSLRequest` and `GSSENCRequest`.
    private static let encryptionRequests: Set<Int> = [80_877_103, 80_877_104]

    private var buffer: [UInt8] = []
    private var hasStarted = false

    /// Adds a piece, and returns the messages that it completes.
    mutating func append(_ piece: [UInt8]) -> [Message] {
        buffer += piece
        var messages: [Message] = []
        var start = 0
        while let end = messageEnd(from: start) {
            messages.append(message(start..<end))
            start = end
        }
        buffer.removeSubrange(..<start)
        return messages
    }

    /// Returns the end of the message at `start`, or `nil` if it is incomplete.
    private func messageEnd(from start: Int) -> Int? {
        // Only the start-up message and the requests before it have no type.
        let header = hasStarted ? 1 : 0
        guard buffer.count >= start + header + 4 else { return nil }
        // The length counts itself.
        let end = start + header + max(4, integer(at: start + header))
        return end <= buffer.count ? end : nil
    }

    private mutating func message(_ range: Range<Int>) -> Message {
        let bytes = Array(buffer[range])
        guard hasStarted else {
            let code = range.count >= 8 ? integer(at: range.lowerBound + 4) : 0
            hasStarted = !Self.encryptionRequests.contains(code)
            return Message(content: .other, bytes: bytes)
        }
        return Message(content: Self.content(of: bytes), bytes: bytes)
    }

    private static func content(of bytes: [UInt8]) -> Content {
        switch bytes[0] {
        case UInt8(ascii: "P"):
            let texts = texts(in: bytes, 2)
            return .parse(name: texts[0], sql: texts[1])
        // The first text is the name of the portal.
        case UInt8(ascii: "B"): return .bind(statement: texts(in: bytes, 2)[1])
        case UInt8(ascii: "Q"): return .query(sql: texts(in: bytes, 1)[0])
        case UInt8(ascii: "S"): return .sync
        default: return .other
        }
    }

    /// Returns the first texts after the header, each of which ends with a zero.
    private static func texts(in bytes: [UInt8], _ count: Int) -> [String] {
        var rest = bytes.dropFirst(5)
        return (0..<count).map { _ in
            let text = rest.prefix { $0 != 0 }
            rest = rest.dropFirst(text.count + 1)
            return String(decoding: text, as: UTF8.self)
        }
    }

    private func integer(at position: Int) -> Int {
        buffer[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
