/// The role of a non-ASCII character in a link.
enum LinkCharacter {
    /// The character is never part of a link: a space, punctuation or an invisible character.
    case end

    /// The character is of a script that puts no spaces between words and links.
    case unspaced

    /// Any other character, such as a Latin, Greek, Cyrillic or Arabic letter.
    case other

    init(_ scalar: Unicode.Scalar) {
        if Self.isEnd(scalar.value) {
            self = .end
        } else if Self.isUnspaced(scalar.value) {
            self = .unspaced
        } else {
            self = .other
        }
    }

    private static func isEnd(_ value: UInt32) -> Bool {
        switch value {
        case 0x2000...0x3030: isGeneralEnd(value)
        case 0xFE50...0xFE52, 0xFE54...0xFE57, 0xFEFF, 0xFFF9...0xFFFD: true
        case 0xFF00...0xFF64: isFullwidthEnd(value)
        default: isAlphabeticScriptEnd(value)
        }
    }

    /// Returns whether the character is punctuation, a space or a control used with alphabets such as Latin, Greek or
    /// Arabic.
    private static func isAlphabeticScriptEnd(_ value: UInt32) -> Bool {
        switch value {
        // Controls, the no-break space, the soft hyphen, guillemets.
        case 0x80...0xA0, 0xAB, 0xAD, 0xBB: true
        // Periods, commas and question marks: Greek, Armenian, Arabic, Devanagari, Burmese, Ethiopic, Khmer.
        case 0x37E, 0x589, 0x60C, 0x61B...0x61C, 0x61F, 0x6D4, 0x964...0x965, 0x104A...0x104B, 0x1361...0x1368: true
        case 0x17D4...0x17D5, 0x1680, 0x180E: true
        default: false
        }
    }

    /// Returns whether the character is a space, a quotation mark, a bidirectional control or similar, or ideographic
    /// punctuation.
    ///
    /// The joiners (U+200C, U+200D) are parts of words, and an en dash occurs in titles.
    private static func isGeneralEnd(_ value: UInt32) -> Bool {
        switch value {
        case 0x2000...0x200B, 0x200E...0x200F, 0x2014...0x2015, 0x2018...0x201F, 0x2026, 0x2028...0x202F: true
        case 0x2039...0x203A, 0x203C...0x203D, 0x2047...0x2049, 0x205F...0x206F: true
        case 0x3000...0x3003, 0x3008...0x3011, 0x3014...0x301B, 0x301D...0x301F: true
        default: false
        }
    }

    /// Returns whether the character is a fullwidth or halfwidth form other than a letter, a digit or a URL character.
    private static func isFullwidthEnd(_ value: UInt32) -> Bool {
        switch value {
        case 0xFF01...0xFF02, 0xFF07...0xFF09, 0xFF0C, 0xFF0E, 0xFF1A...0xFF1C, 0xFF1E...0xFF1F: true
        case 0xFF3B...0xFF3D, 0xFF40, 0xFF5B...0xFF64: true
        default: false
        }
    }

    private static func isUnspaced(_ value: UInt32) -> Bool {
        switch value {
        // Thai, Lao; Burmese; Hangul; Khmer.
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF: true
        // Emoji and similar pictures.
        case 0x231A...0x23FF, 0x2600...0x27BF, 0x2B05...0x2B55, 0x1F000...0x1FAFF: true
        // Han with its radicals and marks, Hiragana, Katakana, Bopomofo, Hangul.
        case 0x2E80...0x2FFF, 0x3004...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF: true
        // Fullwidth and halfwidth forms, and more Han.
        case 0xFF00...0xFFEF, 0x1B000...0x1B16F, 0x20000...0x3FFFF: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is a letter, a combining mark or a digit in any script.
    var isWordCharacter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber: true
        default: false
        }
    }
}
