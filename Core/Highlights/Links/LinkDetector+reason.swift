internal import TextBasics
internal import UniversalLinks

extension LinkDetector {
    /// Returns why a URL that a text mentions is not one of its links.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - text: the text.
    /// - Returns: the link that is there instead and the reason for its end, or the rule by which there is none.
    /// - Complexity: O(length of the text · length of the URL).
    static func reason(against url: String, in text: String) -> String {
        let name = MessageSearch.withoutScheme(url)
        guard let offset = MessageSearch.firstOffset(of: Array(name.utf8), in: text, asWholeURL: true) else {
            return "the text does not have it"
        }
        let bytes = LinkText(text)
        var linkCount = 0
        for (start, extent) in LinkPieces(bytes) where start.offset <= offset {
            switch extent {
            case .none(let resumption, let refusal) where max(resumption, start.authority) >= offset:
                return refusal.text
            case .link(let end) where end > offset:
                let link = links(in: text)[linkCount]
                let found = "the link there is '\(link.url.safe(for: .excerpt))' (\(link.place))"
                if bytes.hasPath(before: offset, of: start) { return "\(found), and it is a part of that" }
                return "\(found), which ends because \(bytes.reasonForEnd(end, of: start))"
            case .link: linkCount += 1
            case .none: break
            }
        }
        guard linkCount < maximumCount else {
            return "only the first \(maximumCount) links of a text are found, and it is after them"
        }
        return bytes.reasonForNoStart(at: offset)
    }
}

extension DetectedLink {
    /// The place of the link in its text, for people.
    var place: String {
        "\(length) UTF-16 units at \(location)"
    }
}

/// The reason for which a piece of text that starts like a link is none.
enum LinkRefusal {
    /// Another scheme follows.
    case otherScheme

    /// No host follows.
    case noHost

    /// The host is not valid.
    case host

    /// The port is too large.
    case port

    /// The IPv6 address is not valid.
    case address

    /// The URL is too long.
    case tooLong

    /// The reason, for people.
    var text: String {
        switch self {
        case .otherScheme: "another scheme follows its scheme, and only the last one counts"
        case .noHost: "no host follows its start"
        case .host:
            "its host is not valid: each part has 1 to 63 letters, digits and hyphens, with no hyphen at either end"
        case .port: "its port is larger than 65535"
        case .address: "the IPv6 address in its brackets is not valid"
        case .tooLong: "it has more than \(LinkURL.maximumLength) bytes"
        }
    }
}

extension LinkText {
    /// Returns the reason for which no link starts at a URL whose host is at `offset`.
    fileprivate func reasonForNoStart(at offset: Int) -> String {
        let starts = ["https://", "http://"].map { offset - $0.utf8.count } + [offset]
        let start = starts.first { $0 >= 0 && (schemeEnd(at: $0) == offset || $0 == offset && startsWithWWW(at: $0)) }
        guard let start, start > 0 else { return "a link starts with http://, https:// or www." }
        return "\(quoted(before: start)) stands before it, so it is a part of a word, of an address or of a path"
    }

    /// Returns the reason for which a link ends at `end`.
    fileprivate func reasonForEnd(_ end: Int, of start: LinkStart) -> String {
        guard end < bytes.count else { return "the text ends there" }
        guard case .link(let authorityEnd) = authorityExtent(of: start) else { return "its host ends there" }
        let tailEnd = endOfTail(from: authorityEnd)
        if end < tailEnd {
            return "'\(string(end..<tailEnd).safe(for: .excerpt))' after it is punctuation of the sentence"
        }
        let next = quoted(at: end)
        switch bytes[end] {
        case 0...0x20: return "a blank or a line end follows"
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            return "\(next) closes no bracket of the link"
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): return "\(next) is not closed within the link"
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return "\(next) is a quotation mark"
        case _ where authorityEnd == end && ".,:;!-_".utf8.contains(bytes[end]):
            return "\(next) after it is punctuation of the sentence"
        case ..<0x80 where authorityEnd == end:
            return "after a host and its port, only '/', '?' or '#' continues a link, and not \(next)"
        case ..<0x80: return "\(next) is never a part of a link"
        default:
            return LinkCharacter(character(at: end).scalar) == .end
                ? "\(next) is never a part of a link" : "\(next) begins text of a script without spaces"
        }
    }

    /// Returns whether a link has a part of its path before `offset`, at which another host begins.
    fileprivate func hasPath(before offset: Int, of start: LinkStart) -> Bool {
        guard case .link(let authorityEnd) = authorityExtent(of: start) else { return false }
        return authorityEnd <= offset
    }

    private func startsWithWWW(at offset: Int) -> Bool {
        string(offset..<Swift.min(offset + 4, bytes.count)).lowercased() == "www."
    }

    private func quoted(at offset: Int) -> String {
        let end = bytes[offset] < 0x80 ? offset + 1 : character(at: offset).end
        return "'\(string(offset..<end).safe(for: .excerpt))'"
    }

    private func quoted(before offset: Int) -> String {
        var start = offset - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return quoted(at: start)
    }
}
