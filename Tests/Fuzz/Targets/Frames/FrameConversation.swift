/// The frames of HTTP/2, as far as the fuzzer reads them.
enum FrameConversation {
    /// The preface of a client with empty settings.
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

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
