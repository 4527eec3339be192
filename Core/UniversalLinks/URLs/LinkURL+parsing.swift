internal import TextBasics

extension LinkURL {
    /// Parses a URL (RFC 3986, appendix B), as the platform's `URL` does.
    ///
    /// - Throws: `LinkURLError` if a link cannot have this URL.
    /// - Complexity: O(length).
    public init(_ string: String) throws(LinkURLError) {
        let bytes = Array(string.utf8)
        guard bytes.count <= Self.maximumLength else { throw Self.lengthError(of: bytes) }
        guard bytes.index(ofAnyIn: .controls, from: 0) == bytes.count else {
            throw .notAURL("it has a control character")
        }
        let authorityStart: Int
        (scheme, authorityStart) = try Self.scheme(of: bytes)
        let authorityEnd = bytes.index(ofAnyIn: .authorityEnds, from: authorityStart)
        let authority = bytes[authorityStart..<authorityEnd]
        (host, port) = try Self.host(in: authority)
        let fragmentMark = bytes.index(ofAnyIn: .numberSign, from: authorityEnd)
        let queryMark = min(bytes.index(ofAnyIn: .questionMark, from: authorityEnd), fragmentMark)
        var parts = Array(Self.escaped(bytes[authorityEnd..<queryMark]))
        pathEnd = parts.count
        parts += Self.escaped(bytes[queryMark..<fragmentMark].dropFirst())
        queryEnd = parts.count
        parts += Self.escaped(bytes[fragmentMark...].dropFirst())
        self.bytes = parts
        let markCount = (queryMark < fragmentMark ? 1 : 0) + (fragmentMark < bytes.count ? 1 : 0)
        spelling = Spelling(authority: authority)
            .union(queryMark + 1 == fragmentMark ? .emptyQuery : [])
            .union(fragmentMark + 1 == bytes.count ? .emptyFragment : [])
            .union(parts.count + markCount > bytes.count - authorityEnd ? .unescapedCharacters : [])
    }

    /// Returns whether a text is a scheme, such as `clowntown` (section 3.1).
    package static func isScheme(_ text: some Collection<UInt8>) -> Bool {
        guard let first = text.first, first.isASCIILetter else { return false }
        return text.allSatisfy { ASCIISet.schemeCharacters.contains($0) }
    }

    /// Returns the scheme of a text in lower case, and the index of its colon; `nil` if it has none.
    private static func schemeName(of bytes: [UInt8]) -> (name: String, colon: Int)? {
        let colon = bytes.index(ofAnyIn: .colon, from: 0)
        guard colon < bytes.count, isScheme(bytes[..<colon]) else { return nil }
        return (String(decoding: bytes[..<colon], as: UTF8.self).lowercased(), colon)
    }

    /// Returns the error for a text that exceeds the maximum length, which a URL with another scheme may do.
    private static func lengthError(of bytes: [UInt8]) -> LinkURLError {
        guard let name = schemeName(of: bytes)?.name, Scheme(rawValue: name) == nil else {
            return .tooLong(bytes: bytes.count)
        }
        return .notWeb(scheme: name)
    }

    /// Returns the scheme and the start of the authority.
    private static func scheme(of bytes: [UInt8]) throws(LinkURLError) -> (Scheme, Int) {
        guard let (name, colon) = schemeName(of: bytes) else { throw .notAURL("it has no scheme, such as https") }
        guard let scheme = Scheme(rawValue: name) else { throw .notWeb(scheme: name) }
        let slash = UInt8(ascii: "/")
        guard colon + 2 < bytes.count, bytes[colon + 1] == slash, bytes[colon + 2] == slash else {
            throw .notAURL(bytes.count == colon + 3 ? "it has no host" : "'//' does not follow its scheme")
        }
        return (scheme, colon + 3)
    }

    /// Returns the host and the port of an authority (section 3.2).
    private static func host(in authority: ArraySlice<UInt8>) throws(LinkURLError) -> (String, Int?) {
        guard !authority.contains(where: { ASCIISet.invalidInHosts.contains($0) }) else {
            throw .notAURL("its host has a character that a host cannot have")
        }
        let afterUser = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        let closingBracket = afterUser.lastIndex(of: UInt8(ascii: "]")) ?? afterUser.startIndex
        let colon = afterUser[closingBracket...].lastIndex(of: UInt8(ascii: ":")) ?? afterUser.endIndex
        let portDigits = afterUser[colon...].dropFirst()
        let port = portDigits.isEmpty ? nil : Int(String(decoding: portDigits, as: UTF8.self))
        guard portDigits.isEmpty || (portDigits.allSatisfy(\.isASCIIDigit) && port.map { $0 < 1 << 16 } == true) else {
            throw .notAURL("its port is not a number up to 65535")
        }
        let name = afterUser[..<colon]
        guard !name.isEmpty else { throw .notAURL("it has no host") }
        guard isWellFormed(host: name), let host = InternationalHost.ascii(name) else {
            throw .notAURL("its host has characters that a host cannot have")
        }
        return (host, port)
    }

    /// Returns whether brackets enclose only an address, no other colon remains, and every percent sign starts an
    /// escape (section 3.2.2).
    private static func isWellFormed(host: ArraySlice<UInt8>) -> Bool {
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            let address = host.dropFirst().dropLast()
            return !address.isEmpty && address.allSatisfy { $0.isHexadecimalDigit || ":.".utf8.contains($0) }
        }
        return !host.contains { "[]:".utf8.contains($0) }
            && host.indices.allSatisfy { host[$0] != UInt8(ascii: "%") || !mustBeEscaped(at: $0, in: host) }
    }

    /// Returns a part of a URL in which all characters that must be escaped are escaped; existing escapes stay
    /// unchanged.
    private static func escaped(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard part.indices.contains(where: { mustBeEscaped(at: $0, in: part) }) else { return part }
        var escaped: [UInt8] = []
        for index in part.indices {
            escaped += mustBeEscaped(at: index, in: part) ? escape(of: part[index]) : [part[index]]
        }
        return escaped[...]
    }

    /// Returns a text in which the bytes that satisfy `mustBeEscaped` are escaped.
    static func escaped(_ text: String.UTF8View, where mustBeEscaped: (UInt8) -> Bool) -> [UInt8] {
        text.flatMap { mustBeEscaped($0) ? escape(of: $0) : [$0] }
    }

    private static func escape(of byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), Hexadecimal.uppercaseDigits(of: byte).0, Hexadecimal.uppercaseDigits(of: byte).1]
    }

    /// Returns whether the byte at `index` must be escaped: a byte that no URL contains, or a percent sign that starts
    /// no escape.
    private static func mustBeEscaped(at index: Int, in part: ArraySlice<UInt8>) -> Bool {
        let byte = part[index]
        guard byte == UInt8(ascii: "%") else { return mustBeEscaped(byte) }
        return index + 2 >= part.endIndex || !part[index + 1].isHexadecimalDigit || !part[index + 2].isHexadecimalDigit
    }

    /// Returns whether a byte is neither in `pchar` nor "/", "?" or "%", so that it is escaped in every part of a URL.
    static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte > 0x7F || ASCIISet.invalidInURLs.contains(byte)
    }
}

extension ASCIISet {
    fileprivate static let controls = ASCIISet(Array(0..<0x20) + [0x7F])
    fileprivate static let authorityEnds = ASCIISet("/?#".utf8)
    fileprivate static let colon = ASCIISet(":".utf8)
    fileprivate static let questionMark = ASCIISet("?".utf8)
    fileprivate static let numberSign = ASCIISet("#".utf8)
    fileprivate static let schemeCharacters = ASCIISet(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.".utf8
    )
    fileprivate static let invalidInHosts = ASCIISet(" \"<>\\^`{|}".utf8)
    fileprivate static let invalidInURLs = ASCIISet(" \"#<>[\\]^`{|}".utf8)
}

extension [UInt8] {
    /// Returns the index of the first byte at or after `start` that is in `set`, or the end if there is none.
    fileprivate func index(ofAnyIn set: ASCIISet, from start: Int) -> Int {
        var index = start
        while index < count, !set.contains(self[index]) { index += 1 }
        return index
    }
}
