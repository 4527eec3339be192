import NIOCore
import NIOHPACK

/// An HTTP/2 frame (RFC 9113, section 4.1), with its own encoder and parser.
///
/// They are independent of the engine under test, which must not check itself.
struct Frame: Equatable, CustomStringConvertible {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let endStream: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4

    /// The type, which can be unknown.
    var type: UInt8
    var flags: UInt8 = 0
    var stream: Int32 = 0
    var payload: [UInt8] = []

    init(_ kind: Kind, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = []) {
        self.init(type: kind.rawValue, flags: flags, stream: stream, payload)
    }

    init(type: UInt8, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = []) {
        (self.type, self.flags, self.stream, self.payload) = (type, flags, stream, payload)
    }

    var kind: Kind? {
        Kind(rawValue: type)
    }

    var endsStream: Bool {
        flags & Self.endStream != 0 && (kind == .data || kind == .headers)
    }

    var bytes: [UInt8] {
        Self.integer(payload.count, bytes: 3) + [type, flags] + Self.integer(Int(stream), bytes: 4) + payload
    }

    var description: String {
        "\(kind.map { "\($0)" } ?? "type \(type)") on \(stream), flags \(flags), \(payload.count) bytes"
    }

    static func integer(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func number(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Parses `bytes` into frames, or returns `nil` if they are not whole frames.
    static func all(in bytes: [UInt8]) -> [Frame]? {
        var (frames, rest) = ([Frame](), bytes[...])
        while !rest.isEmpty {
            guard rest.count >= 9 else { return nil }
            let head = Array(rest.prefix(9))
            let length = number(head[0..<3])
            guard rest.count >= 9 + length else { return nil }
            let payload = Array(rest.dropFirst(9).prefix(length))
            frames.append(Frame(type: head[3], flags: head[4], stream: Int32(number(head[5..<9])), payload))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }
}

// MARK: Frames of the client

extension Frame {
    static let settings = Frame(.settings)

    /// Returns a request's HEADERS frame, with each field as a literal without indexing (RFC 7541, section 6.2.2).
    static func headers(_ stream: Int32, _ fields: [(String, String)], endsStream: Bool = false) -> Frame {
        let flags = endHeaders | (endsStream ? endStream : 0)
        return Frame(.headers, flags: flags, stream: stream, block(fields))
    }

    /// Returns a header block.
    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string($0.0) + string($0.1) }
    }

    /// Returns a string literal without Huffman coding (RFC 7541, section 5.2).
    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var (length, rest) = ([UInt8(127)], bytes.count - 127)
        while rest >= 128 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }

    static func data(_ stream: Int32, _ text: String, endsStream: Bool = true) -> Frame {
        Frame(.data, flags: endsStream ? endStream : 0, stream: stream, Array(text.utf8))
    }

    static func reset(_ stream: Int32, code: Int = 8) -> Frame {
        Frame(.reset, stream: stream, integer(code, bytes: 4))
    }

    static let requestFields = [
        (":method", "POST"), (":scheme", "https"), (":path", "/3/device/00ff"), (":authority", "localhost"),
        ("apns-topic", "com.example.clowntown"),
    ]
}

// MARK: Answers of the engine

extension Frame {
    /// The error code of a GOAWAY frame or of a RST_STREAM frame.
    var errorCode: Int? {
        switch kind {
        case .goAway: Frame.number(payload.dropFirst(4).prefix(4))
        case .reset: Frame.number(payload)
        default: nil
        }
    }

    /// The debug data of a GOAWAY frame.
    var goAwayData: String {
        String(decoding: payload.dropFirst(8), as: UTF8.self)
    }

    /// The settings of a SETTINGS frame by their identifiers.
    var settings: [Int: Int] {
        let starts = stride(from: 0, to: payload.count, by: 6)
        return Dictionary(
            uniqueKeysWithValues: starts.map { start in
                (Frame.number(payload[start..<start + 2]), Frame.number(payload[start + 2..<start + 6]))
            }
        )
    }
}
