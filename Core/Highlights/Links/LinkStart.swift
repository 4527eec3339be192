internal import TextBasics

/// The start of a possible link.
struct LinkStart {
    var rule: DetectedLink.Rule

    /// The index of the first byte.
    var offset: Int

    /// The start of the authority: after the scheme, if there is one.
    var authority: Int

    /// The scheme that an app's URL has and the text lacks; empty if the text has one.
    var missingScheme: String {
        rule == .www ? "https://" : ""
    }
}

extension LinkText {
    /// Returns the first possible link at or after `position`.
    func nextStart(from position: Int) -> LinkStart? {
        var offset = position
        while offset < bytes.count {
            switch bytes[offset] | 0x20 {
            case UInt8(ascii: "h"):
                if let authority = schemeEnd(at: offset), !isWithinWord(offset) {
                    return LinkStart(rule: .scheme, offset: offset, authority: authority)
                }
            case UInt8(ascii: "w"):
                if hasLetters("ww", at: offset + 1), byte(at: offset + 3) == UInt8(ascii: "."),
                    mayStartWWW(at: offset)
                {
                    return LinkStart(rule: .www, offset: offset, authority: offset)
                }
            default: break
            }
            offset += 1
        }
        return nil
    }

    /// Returns the end of `http://` or `https://` at `offset`; `nil` if neither is there.
    func schemeEnd(at offset: Int) -> Int? {
        guard hasLetters("http", at: offset) else { return nil }
        let colon = offset + (hasLetters("s", at: offset + 4) ? 5 : 4)
        let slash = UInt8(ascii: "/")
        guard byte(at: colon) == UInt8(ascii: ":"), byte(at: colon + 1) == slash, byte(at: colon + 2) == slash else {
            return nil
        }
        return colon + 3
    }

    /// Returns whether `letters`, given in lower case, are at `offset`, in upper or lower case.
    private func hasLetters(_ letters: StaticString, at offset: Int) -> Bool {
        guard offset + letters.utf8CodeUnitCount <= bytes.count else { return false }
        return letters.withUTF8Buffer { letters in
            letters.indices.allSatisfy { bytes[offset + $0] | 0x20 == letters[$0] }
        }
    }

    /// Returns whether `offset` follows a letter or digit of a script that puts spaces between words.
    private func isWithinWord(_ offset: Int) -> Bool {
        guard offset > 0 else { return false }
        let previousByte = bytes[offset - 1]
        if previousByte < 0x80 { return previousByte.isASCIIAlphanumeric }
        let scalar = character(before: offset)
        return LinkCharacter(scalar) == .other && scalar.isWordCharacter
    }

    /// Returns whether `www.` may start at `offset`: not within a word, a host, a path or an email address.
    private func mayStartWWW(at offset: Int) -> Bool {
        guard offset > 0 else { return true }
        switch bytes[offset - 1] {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "@"):
            return false
        default: return !isWithinWord(offset)
        }
    }
}
