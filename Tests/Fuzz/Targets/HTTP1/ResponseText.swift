/// The responses of a connection of HTTP/1.1, split as a client splits them.
struct ResponseText {
    /// A response.
    struct Response {
        var status: Int
        var bodySize: Int
    }

    /// The responses, without those with a status below 200.
    private(set) var responses: [Response] = []

    private var rest: ArraySlice<UInt8>

    /// Splits the bytes that a client has read, and ends the program if they are not responses.
    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        while !rest.isEmpty { readResponse(of: bytes) }
    }

    /// The status of each response.
    var statuses: [Int] {
        responses.map(\.status)
    }

    private mutating func readResponse(of bytes: [UInt8]) {
        let output = String(decoding: bytes, as: UTF8.self)
        guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else {
            return fail("a response has a whole head", output)
        }
        let lines = rest[..<end.lowerBound].split(separator: 0x0A, omittingEmptySubsequences: false)
        rest = rest[end.upperBound...]
        for (index, line) in lines.enumerated() {
            let isTerminated = index == lines.count - 1 || line.last == 0x0D
            let content = index == lines.count - 1 ? line : line.dropLast()
            let isText = content.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            promise(isTerminated && isText, "a line of a head has no control character", found: output)
        }
        let start = String(decoding: lines[0].prefix(12), as: UTF8.self)
        guard start.utf8.starts(with: "HTTP/1.1 ".utf8), let status = Int(start.suffix(3)), (100...599).contains(status)
        else { return fail("a response has a status", output) }
        guard status >= 200 else { return }
        let body = readBody(length(in: lines), output)
        responses.append(Response(status: status, bodySize: body))
        // The rest is not HTTP, or the response has no body.
        if status == 200, length(in: lines) == nil {
            promise(rest.isEmpty, "nothing follows the answer to CONNECT before TLS", found: output)
        } else {
            promise(status == 204 || length(in: lines) != nil, "a response has a length", found: output)
        }
    }

    /// Reads a body, and returns its size; a response to HEAD may have a length without a body.
    private mutating func readBody(_ length: Int?, _ output: String) -> Int {
        guard let length, length > 0, !rest.isEmpty, !rest.starts(with: "HTTP/1.1 ".utf8) else { return 0 }
        promise(rest.count >= length, "a response has a whole body", found: output)
        rest = rest.dropFirst(length)
        return length
    }

    private func length(in lines: [ArraySlice<UInt8>]) -> Int? {
        let name = "content-length:"
        let values = lines.compactMap { line -> Int? in
            let text = String(decoding: line, as: UTF8.self).lowercased()
            guard text.hasPrefix(name) else { return nil }
            return Int(text.dropFirst(name.count).filter(\.isNumber))
        }
        promise(values.count <= 1, "a response has one length", found: values)
        return values.first
    }

    private mutating func fail(_ sentence: String, _ output: String) {
        promise(false, sentence, found: output)
        rest = []
    }
}
