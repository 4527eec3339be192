extension LinkURL {
    /// Reads a URL (RFC 3986, appendix B), as the platform's `URL` reads it.
    ///
    /// - Throws: `LinkURLFault` where it is none that a link can have.
    /// - Complexity: O(length).
    public init(_ text: String) throws(LinkURLFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { throw .tooLong(bytes: bytes.count) }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .notAURL("it has a control character")
        }
        let authorityStart = try Self.endOfScheme(bytes)
        let authorityEnd = bytes[authorityStart...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
        (host, port) = try Self.host(in: bytes[authorityStart..<authorityEnd])
        let fragmentMark = bytes[authorityEnd...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let queryMark = bytes[authorityEnd..<fragmentMark].firstIndex(of: UInt8(ascii: "?")) ?? fragmentMark
        var parts = Array(Self.escaped(bytes[authorityEnd..<queryMark]))
        pathEnd = parts.count
        parts += Self.escaped(bytes[queryMark..<fragmentMark].dropFirst())
        queryEnd = parts.count
        parts += Self.escaped(bytes[fragmentMark...].dropFirst())
        self.bytes = parts
    }

    /// Returns where the authority starts.
    private static func endOfScheme(_ bytes: [UInt8]) throws(LinkURLFault) -> Int {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, bytes[0].isASCIILetter,
            bytes[..<colon].allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
        else { throw .notAURL("it has no scheme, such as https") }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard scheme == "https" || scheme == "http" else { throw .notWeb(scheme: scheme) }
        guard bytes[colon...].dropFirst().starts(with: "//".utf8) else {
            throw .notAURL("'//' does not follow its scheme")
        }
        return colon + 3
    }

    /// Returns host and port of an authority (section 3.2).
    private static func host(in authority: ArraySlice<UInt8>) throws(LinkURLFault) -> (String, Int?) {
        guard !authority.contains(where: { " \"<>\\^`{|}".utf8.contains($0) }) else {
            throw .notAURL("its host has a character that no host can have")
        }
        let afterUser = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        let closing = afterUser.lastIndex(of: UInt8(ascii: "]")) ?? afterUser.startIndex
        let colon = afterUser[closing...].lastIndex(of: UInt8(ascii: ":")) ?? afterUser.endIndex
        let digits = afterUser[colon...].dropFirst()
        let port = digits.isEmpty ? nil : Int(String(decoding: digits, as: UTF8.self))
        guard digits.isEmpty || (digits.allSatisfy(\.isASCIIDigit) && port.map { $0 < 1 << 16 } == true) else {
            throw .notAURL("its port is no number up to 65535")
        }
        let name = afterUser[..<colon]
        guard !name.isEmpty else { throw .notAURL("it has no host") }
        guard let host = InternationalHost.ascii(name) else {
            throw .notAURL("its host has characters that no host can have")
        }
        return (host, port)
    }

    /// Returns a part of a URL with everything escaped that may not stand there as it is, but for escapes.
    private static func escaped(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = part.indices.first(where: { isEscaped(at: $0, in: part) }) else { return part }
        var escaped = part[..<first]
        for index in first..<part.endIndex {
            let byte = part[index]
            if isEscaped(at: index, in: part) {
                escaped += [UInt8(ascii: "%"), byte.upperHexadecimalDigits.0, byte.upperHexadecimalDigits.1]
            } else {
                escaped.append(byte)
            }
        }
        return escaped
    }

    /// Whether the byte at `index` may not stand there as it is: what is in neither `pchar` nor "/" and "?", and a
    /// percent sign that starts no escape.
    private static func isEscaped(at index: Int, in part: ArraySlice<UInt8>) -> Bool {
        let byte = part[index]
        if byte == UInt8(ascii: "%") {
            let digits = part[(index + 1)...].prefix(2)
            return digits.count < 2 || !digits.allSatisfy(\.isHexadecimalDigit)
        }
        return byte > 0x7F || " \"#<>[\\]^`{|}".utf8.contains(byte)
    }
}
