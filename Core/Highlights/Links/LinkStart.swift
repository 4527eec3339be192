internal import ASCII

/// Where something starts that may be a link.
struct LinkStart {
    var rule: DetectedLink.Rule

    /// Where it starts.
    var offset: Int

    /// Where its authority starts: behind the scheme, if it has one.
    var authority: Int

    /// What an app's URL has in front of what is written.
    var missingScheme: String {
        rule == .www ? "https://" : ""
    }
}

extension LinkText {
    /// Returns the first thing at or behind `position` that starts like a link.
    func nextStart(from position: Int) -> LinkStart? {
        var offset = position
        while offset < bytes.count {
            switch bytes[offset] | 0x20 {
            case UInt8(ascii: "h"):
                if let authority = schemeEnd(at: offset), !isWithinWord(offset) {
                    return LinkStart(rule: .scheme, offset: offset, authority: authority)
                }
            case UInt8(ascii: "w"):
                if hasLetters("ww", at: offset + 1), byte(at: offset + 3) == UInt8(ascii: "."), isWWWPlace(offset) {
                    return LinkStart(rule: .www, offset: offset, authority: offset)
                }
            default: break
            }
            offset += 1
        }
        return nil
    }

    /// Returns where the scheme http or https with its slashes ends that starts at `offset`, if one does.
    func schemeEnd(at offset: Int) -> Int? {
        guard hasLetters("http", at: offset) else { return nil }
        let colon = offset + (hasLetters("s", at: offset + 4) ? 5 : 4)
        let slash = UInt8(ascii: "/")
        guard byte(at: colon) == UInt8(ascii: ":"), byte(at: colon + 1) == slash, byte(at: colon + 2) == slash else {
            return nil
        }
        return colon + 3
    }

    /// Whether `letters`, which are in lower case, stand at `offset` in either case.
    private func hasLetters(_ letters: StaticString, at offset: Int) -> Bool {
        guard offset + letters.utf8CodeUnitCount <= bytes.count else { return false }
        return letters.withUTF8Buffer { letters in
            letters.indices.allSatisfy { bytes[offset + $0] | 0x20 == letters[$0] }
        }
    }

    /// Whether a letter or digit stands in front of `offset`, of a script that would have a space between words.
    private func isWithinWord(_ offset: Int) -> Bool {
        guard offset > 0 else { return false }
        let before = bytes[offset - 1]
        if before < 0x80 { return before.isASCIIAlphanumeric }
        let scalar = character(before: offset)
        return LinkCharacter(scalar) == .other && scalar.isOfWord
    }

    /// Whether `www.` may start at `offset`: not within a word, a host, a path or an e-mail address.
    private func isWWWPlace(_ offset: Int) -> Bool {
        guard offset > 0 else { return true }
        switch bytes[offset - 1] {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "@"):
            return false
        default: return !isWithinWord(offset)
        }
    }
}
