internal import TextBasics
internal import UniversalLinks

extension LinkText {
    /// The maximum length of a host in bytes: 253 ASCII characters, each of which may encode a character of four bytes.
    ///
    /// Longer hosts are rejected without computing their Punycode.
    private static let maximumHostLength = 253 * 4

    /// Returns the extent of the host that starts at `start`.
    func hostExtent(from start: Int) -> LinkExtent {
        var position = start
        var end = start
        while isHostCharacter(at: position) {
            let label = hostLabel(from: position)
            end = label.end
            if let change = label.scriptChange, isFollowingText(from: change, of: label, isFirst: position == start) {
                end = change
                break
            }
            guard hasNextLabel(after: end) else { break }
            position = end + 1
        }
        let host = start..<endWithoutSeparators(of: start..<end)
        guard !isHost(host) else { return .link(end: host.upperBound) }
        return .none(resumption: max(end, start), host.isEmpty ? .noHost : .host)
    }

    /// Returns whether a period and another label follow at `end`.
    private func hasNextLabel(after end: Int) -> Bool {
        byte(at: end) == UInt8(ascii: ".") && isHostCharacter(at: end + 1)
    }

    /// Returns whether the character at `index` may be in a label.
    private func isHostCharacter(at index: Int) -> Bool {
        byte(at: index) < 0x80
            ? isASCIILabelCharacter(byte(at: index)) : isInternationalLabelCharacter(character(at: index).scalar)
    }

    private func isASCIILabelCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private func isInternationalLabelCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch LinkCharacter(scalar) {
        case .end: false
        case .unspaced: true
        // The joiners and the Catalan middle dot are parts of words.
        case .other: scalar.isWordCharacter || scalar == "\u{200C}" || scalar == "\u{200D}" || scalar == "\u{B7}"
        }
    }

    /// A label of a host.
    private struct HostLabel {
        var start: Int
        var end: Int

        /// The index of the first letter of an unspaced script, in a label that starts with ASCII.
        var scriptChange: Int?
    }

    private func hostLabel(from start: Int) -> HostLabel {
        var label = HostLabel(start: start, end: start)
        while isASCIILabelCharacter(byte(at: label.end)) { label.end += 1 }
        let end = label.end
        while label.end < bytes.count {
            if bytes[label.end] < 0x80 {
                guard isASCIILabelCharacter(bytes[label.end]) else { break }
                label.end += 1
            } else {
                let (scalar, next) = character(at: label.end)
                guard isInternationalLabelCharacter(scalar) else { break }
                if label.end == end, end > start, LinkCharacter(scalar) == .unspaced { label.scriptChange = end }
                label.end = next
            }
        }
        return label
    }

    /// Returns whether the text from `change` on is not part of the label, but text that follows a link without a
    /// space.
    ///
    /// No top-level domain mixes ASCII with an unspaced script. So this is the case in the last label, and in any label
    /// but the first whose ASCII part is a known top-level domain.
    private func isFollowingText(from change: Int, of label: HostLabel, isFirst: Bool) -> Bool {
        !hasNextLabel(after: label.end) || (!isFirst && TopLevelDomain.isKnown(bytes[label.start..<change]))
    }

    /// Returns the end of a host without trailing hyphens, underscores and periods, which belong to the sentence.
    private func endWithoutSeparators(of host: Range<Int>) -> Int {
        var end = host.upperBound
        switch byte(at: end) {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ":"): return end
        default: break
        }
        while end > host.lowerBound, Self.isSeparator(bytes[end - 1]) { end -= 1 }
        return end
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    /// Returns whether all labels of a host are valid and within the limits (RFC 1035, section 2.3.4; RFC 1123, section
    /// 2.1).
    private func isHost(_ host: Range<Int>) -> Bool {
        guard !host.isEmpty, host.count <= Self.maximumHostLength else { return false }
        var isASCII = true
        var labelStart = host.lowerBound
        for index in host.lowerBound...host.upperBound {
            if index == host.upperBound || bytes[index] == UInt8(ascii: ".") {
                guard isLabel(labelStart..<index) else { return false }
                labelStart = index + 1
            } else if bytes[index] > 0x7F {
                isASCII = false
            }
        }
        if isASCII { return host.count <= 253 }
        // For non-ASCII hosts the limits apply to the Punycode, and `LinkURL` checks them.
        return (try? LinkURL("https://" + String(decoding: bytes[host], as: UTF8.self))) != nil
    }

    /// Returns whether a text of one or more characters is a label, apart from the length of its Punycode.
    private func isLabel(_ label: Range<Int>) -> Bool {
        guard !Self.isSeparator(bytes[label.lowerBound]), !Self.isSeparator(bytes[label.upperBound - 1]) else {
            return false
        }
        return label.count <= 63 || bytes[label].contains { $0 > 0x7F }
    }
}

/// The top-level domains, used to find where text starts that follows a host without a space.
enum TopLevelDomain {
    /// Returns whether a label is a known top-level domain: one of two letters, or one of the most common others.
    static func isKnown(_ label: ArraySlice<UInt8>) -> Bool {
        let letters = label.map { $0 | 0x20 }
        guard letters.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else { return false }
        return letters.count == 2 || generic.contains(String(decoding: letters, as: UTF8.self))
    }

    /// A short list of Waypost's own; a host that ends in another domain is still found.
    private static let generic: Set = [
        "com", "net", "org", "info", "biz", "edu", "gov", "mil", "int", "name", "app", "dev", "page", "link", "shop",
        "store", "site", "online", "blog", "news", "live", "wiki", "cloud", "tech", "club", "asia", "tokyo", "xyz",
        "top",
    ]
}
