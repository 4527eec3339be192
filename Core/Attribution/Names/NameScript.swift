/// The writing of a name, as far as it decides the order of its parts and what an avatar shows.
enum NameScript: Sendable, Hashable {
    /// Latin, Greek, Cyrillic, Armenian, Georgian: a person has initials.
    case alphabet

    case han
    case kana
    case hangul
    case other

    /// The blocks of the scripts (Unicode 16), in order; what is no letter in them is sorted out before.
    private static let blocks: [(scalars: ClosedRange<Unicode.Scalar>, script: Self)] = [
        ("\u{0041}"..."\u{02AF}", .alphabet),
        ("\u{0370}"..."\u{058F}", .alphabet),
        ("\u{10A0}"..."\u{10FF}", .alphabet),
        ("\u{1100}"..."\u{11FF}", .hangul),
        ("\u{1C80}"..."\u{1CBF}", .alphabet),
        ("\u{1D00}"..."\u{1DBF}", .alphabet),
        ("\u{1E00}"..."\u{1FFF}", .alphabet),
        ("\u{2C60}"..."\u{2C7F}", .alphabet),
        ("\u{2D00}"..."\u{2D2F}", .alphabet),
        ("\u{2DE0}"..."\u{2DFF}", .alphabet),
        ("\u{2E80}"..."\u{303B}", .han),
        ("\u{3041}"..."\u{30FF}", .kana),
        ("\u{3131}"..."\u{318E}", .hangul),
        ("\u{31F0}"..."\u{31FF}", .kana),
        ("\u{3400}"..."\u{9FFF}", .han),
        ("\u{A640}"..."\u{A69F}", .alphabet),
        ("\u{A720}"..."\u{A7FF}", .alphabet),
        ("\u{A960}"..."\u{A97F}", .hangul),
        ("\u{AB30}"..."\u{AB6F}", .alphabet),
        ("\u{AC00}"..."\u{D7FF}", .hangul),
        ("\u{F900}"..."\u{FAFF}", .han),
        ("\u{FB00}"..."\u{FB17}", .alphabet),
        ("\u{FF21}"..."\u{FF5A}", .alphabet),
        ("\u{FF66}"..."\u{FF9F}", .kana),
        ("\u{FFA1}"..."\u{FFDC}", .hangul),
        ("\u{1AFF0}"..."\u{1B16F}", .kana),
        ("\u{20000}"..."\u{3FFFD}", .han),
    ]

    /// Creates the writing of a letter; `nil` for what is no letter.
    init?(_ scalar: Unicode.Scalar) {
        let isModifier = ("\u{02B0}"..."\u{02FF}").contains(scalar)
        guard scalar.properties.isIdeographic || scalar.properties.generalCategory.isLetter, !isModifier else {
            return nil
        }
        self = Self.blocks.first { $0.scalars.contains(scalar) }?.script ?? .other
    }

    /// Creates the writing of a name; `nil` where it has no letter.
    ///
    /// A name is East Asian where all of its letters are: Japanese where one of them is kana, else Korean where one is
    /// Hangul. In any other the first letter decides, and a character beside letters of an alphabet counts as one.
    init?(of name: String) {
        let scripts = name.unicodeScalars.compactMap(Self.init)
        guard let first = scripts.first else { return nil }
        let isEastAsian = scripts.allSatisfy(\.isEastAsian)
        self =
            switch first {
            case _ where isEastAsian && scripts.contains(.kana): .kana
            case _ where isEastAsian && scripts.contains(.hangul): .hangul
            case _ where isEastAsian: .han
            case .other: .other
            default: .alphabet
            }
    }

    /// Whether the family name stands first, without a space.
    var isEastAsian: Bool {
        [.han, .kana, .hangul].contains(self)
    }
}

extension Unicode.GeneralCategory {
    /// Whether it is one of the categories of letters.
    var isLetter: Bool {
        [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter].contains(self)
    }
}
