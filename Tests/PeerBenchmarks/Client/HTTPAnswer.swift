/// An answer with a content length at the start of received bytes.
struct HTTPAnswer {
    let status: Int
    let body: Range<Int>

    /// Returns `nil` if the answer is incomplete.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let end = bytes.place(of: "\r\n\r\n") else { return nil }
        let head = UnsafeBufferPointer(rebasing: bytes[..<(end + 2)])
        // The listeners of the gateway differ in the case of their headers.
        let length = head.number(after: "\r\nContent-Length: ") ?? head.number(after: "\r\ncontent-length: ") ?? 0
        guard bytes.count >= end + 4 + length else { return nil }
        status = head.number(at: 9)
        body = (end + 4)..<(end + 4 + length)
    }
}

/// The decoder of an answer in chunks that does not end, such as an event stream.
struct ChunkDecoder {
    private enum State {
        case head, size, data, dataEnd
    }

    private var state = State.head
    private var remaining = 0

    /// The number of bytes of the end of the head that have arrived.
    private var matched = 0

    /// Appends the decoded contents of the bytes to `content`.
    mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into content: inout ByteQueue) throws {
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            switch state {
            case .head: place += skipHead(byte)
            case .size:
                if byte == UInt8(ascii: "\n") {
                    guard remaining > 0 else { throw Failure("a stream ended") }
                    state = .data
                } else if let digit = hexadecimal(byte) {
                    remaining = remaining * 16 + digit
                }
                place += 1
            case .data:
                let count = min(remaining, bytes.count - place)
                content.append(UnsafeBufferPointer(rebasing: bytes[place..<(place + count)]))
                (place, remaining) = (place + count, remaining - count)
                if remaining == 0 { state = .dataEnd }
            case .dataEnd:
                if byte == UInt8(ascii: "\n") { state = .size }
                place += 1
            }
        }
    }

    /// Looks for the empty line that ends the head, and returns how many bytes it used.
    private mutating func skipHead(_ byte: UInt8) -> Int {
        if byte == UInt8(ascii: "\n") {
            matched += 1
            if matched == 2 { state = .size }
        } else if byte != UInt8(ascii: "\r") {
            matched = 0
        }
        return 1
    }

    private func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
