/// The kind of a scalar, which decides its width.
enum ScalarKind {
    /// A scalar that is drawn on the one before it, or is invisible.
    case zeroWidth

    /// A vowel sign next to its consonant.
    case spacingMark

    /// A scalar that is half as wide as high.
    case halfWidth

    /// A scalar that is as wide as high.
    case wide

    /// A capital letter of another alphabet, or any other letter.
    case capital, other

    /// The same for wide letters, such as Ж and Ω.
    case broadCapital, broadOther

    init(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: self = .zeroWidth
        case _ where properties.isDefaultIgnorableCodePoint: self = .zeroWidth
        case _ where Self.closingJamo.contains(scalar.value): self = .zeroWidth
        case .spacingMark: self = .spacingMark
        case _ where Self.halfWidthRanges.contains { $0.contains(scalar.value) }: self = .halfWidth
        case _ where Self.wideRanges.contains { $0.contains(scalar.value) }: self = .wide
        case _ where properties.isUppercase: self = Self.broad.contains(scalar) ? .broadCapital : .capital
        default: self = Self.broad.contains(scalar) ? .broadOther : .other
        }
    }

    /// The width in hundredths of the size.
    var advance: Int {
        switch self {
        case .zeroWidth: 0
        case .spacingMark: 30
        case .halfWidth: 50
        case .other: 60
        case .capital: 75
        case .broadOther: 85
        case .wide, .broadCapital: 100
        }
    }

    /// The Hangul vowels and final consonants, which are drawn inside the syllable of the leading consonant.
    private static let closingJamo: ClosedRange<UInt32> = 0x1160...0x11FF

    private static let halfWidthRanges: [ClosedRange<UInt32>] = [0xFF61...0xFFDC, 0xFFE8...0xFFEE]

    /// The blocks of scalars that UAX 11 classifies as Wide or Fullwidth, fixed here.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // leading consonants of Hangul
        0x2E80...0x303E,  // radicals, punctuation
        0x3041...0xA4CF,  // kana, Bopomofo, Han, Yi
        0xA960...0xA97F,  // more leading consonants
        0xAC00...0xD7A3,  // Hangul
        0xF900...0xFAFF,  // more Han
        0xFE10...0xFE19,  // punctuation for vertical text
        0xFE30...0xFE6F,
        0xFF01...0xFF60,  // fullwidth forms
        0xFFE0...0xFFE6,
        0x16FE0...0x18DFF,  // Tangut, Khitan
        0x1AFF0...0x1B2FF,  // more kana, Nushu
        0x1F200...0x1F2FF,  // Han in squares
        0x20000...0x3FFFD,  // the planes of Han
    ]

    private static let broad: Set<Unicode.Scalar> = Set("ЖМФШЩЫЮЉЊѠжмфшщыюљњѡΜΦΨΩφψω".unicodeScalars)
}
