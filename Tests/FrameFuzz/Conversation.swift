/// The seeds of the fuzzer: conversations of valid clients.
enum Conversation {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(type: 4)

    /// Requests with a body, without a body, and in pieces with a trailer; and frames of the other types.
    static let seeds: [[UInt8]] = [
        frame(type: 1, flags: 4, stream: 1, block) + frame(type: 0, flags: 1, stream: 1, Array(#"{"aps":{}}"#.utf8)),
        frame(type: 1, flags: 5, stream: 1, block) + frame(type: 3, stream: 1, [0, 0, 0, 8]),
        frame(type: 1, stream: 1, Array(block.prefix(9)))
            + frame(type: 9, flags: 4, stream: 1, Array(block.dropFirst(9)))
            + frame(type: 0, stream: 1, [123]) + frame(type: 1, flags: 5, stream: 1, [0, 1, 120, 1, 49]),
        frame(type: 4, [0, 4, 0, 0, 0, 9]) + frame(type: 4, flags: 1) + frame(type: 6, [1, 2, 3, 4, 5, 6, 7, 8])
            + frame(type: 8, [0, 0, 1, 0]) + frame(type: 2, stream: 3, [0, 0, 0, 1, 16]) + frame(type: 77, [1, 2, 3])
            + frame(type: 7, [0, 0, 0, 1, 0, 0, 0, 0]),
    ]

    private static let block: [UInt8] = [
        (":method", "POST"), (":scheme", "https"), (":path", "/3/device/00ff"), (":authority", "x"),
        ("apns-topic", "a"),
    ].flatMap { [0] + string($0) + string($1) }

    /// Returns a string literal without Huffman coding (RFC 7541, section 5.2).
    private static func string(_ text: String) -> [UInt8] {
        [UInt8(text.utf8.count)] + Array(text.utf8)
    }

    private static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }

    /// Returns whether `bytes` are whole frames without an empty DATA frame.
    static func isMadeOfFrames(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 9 else { return false }
            let head = Array(rest.prefix(9))
            let length = head.prefix(3).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 9 + length, head[3] != 0 || length > 0 else { return false }
            rest = rest.dropFirst(9 + length)
        }
        return true
    }
}
