/// The script of a name, which decides the order of its parts and the content of an avatar.
enum NameScript: Sendable, Hashable {
    /// Latin, Greek, Cyrillic, Armenian or Georgian: names have initials.
    case alphabetic

    case han
    case kana
    case hangul
    case other

    /// The blocks of the scripts in order (Unicode 16); the caller has already excluded what is not a letter.
    private static let blocks: [(scalars: ClosedRange<Unicode.Scalar>, script: Self)] = [
        ("\u{0041}"..."\u{02AF}", .alphabetic),
        ("\u{0370}"..."\u{058F}", .alphabetic),
        ("\u{10A0}"..."\u{10FF}", .alphabetic),
        ("\u{1100}"..."\u{11FF}", .hangul),
        ("\u{1C80}"..."\u{1CBF}", .alphabetic),
        ("\u{1D00}"..."\u{1DBF}", .alphabetic),
        ("\u{1E00}"..."\u{1FFF}", .alphabetic),
        ("\u{2C60}"..."\u{2C7F}", .alphabetic),
        ("\u{2D00}"..."\u{2D2F}", .alphabetic),
        ("\u{2DE0}"..."\u{2DFF}", .alphabetic),
        ("\u{2E80}"..."\u{303B}", .han),
        ("\u{3041}"..."\u{30FF}", .kana),
        ("\u{3131}"..."\u{318E}", .hangul),
        ("\u{31F0}"..."\u{31FF}", .kana),
        ("\u{3400}"..."\u{9FFF}", .han),
        ("\u{A640}"..."\u{A69F}", .alphabetic),
        ("\u{A720}"..."\u{A7FF}", .alphabetic),
        ("\u{A960}"..."\u{A97F}", .hangul),
        ("\u{AB30}"..."\u{AB6F}", .alphabetic),
        ("\u{AC00}"..."\u{D7FF}", .hangul),
        ("\u{F900}"..."\u{FAFF}", .han),
        ("\u{FB00}"..."\u{FB17}", .alphabetic),
        ("\u{FF21}"..."\u{FF5A}", .alphabetic),
        ("\u{FF66}"..."\u{FF9F}", .kana),
        ("\u{FFA1}"..."\u{FFDC}", .hangul),
        ("\u{1AFF0}"..."\u{1B16F}", .kana),
        ("\u{20000}"..."\u{3FFFD}", .han),
    ]

    /// Creates the script of a letter; `nil` if the scalar is not a letter.
    init?(_ scalar: Unicode.Scalar) {
        let isModifier = ("\u{02B0}"..."\u{02FF}").contains(scalar)
        guard scalar.properties.isIdeographic || scalar.properties.generalCategory.isLetter, !isModifier else {
            return nil
        }
        self = Self.blocks.first { $0.scalars.contains(scalar) }?.script ?? .other
    }

    /// Creates the script of a name; `nil` if the name has no letter.
    ///
    /// A name is East Asian if all of its letters are: Japanese if one of them is kana, otherwise Korean if one is
    /// Hangul, otherwise Han. In any other name the first letter decides; an East Asian character next to letters of an
    /// alphabet counts as one of them.
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
            default: .alphabetic
            }
    }

    /// Whether the family name comes first, without a space.
    var isEastAsian: Bool {
        [.han, .kana, .hangul].contains(self)
    }
}

extension Unicode.GeneralCategory {
    /// Whether the category is one of the letter categories.
    var isLetter: Bool {
        [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter].contains(self)
    }
}
