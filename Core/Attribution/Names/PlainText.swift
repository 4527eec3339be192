/// Functions that make text from people and apps suitable for a single line.
public enum PlainText {
    /// The maximum number of marks on one base; more of them would extend beyond an avatar's circle.
    public static let maximumMarks = 2

    /// The maximum number of scalars in a grapheme cluster.
    public static let maximumScalars = 24

    /// Returns a text without anything that would break the line or extend beyond it.
    ///
    /// The rules are Waypost's own and use the properties of the Unicode Character Database:
    /// - White space and line breaks become single spaces; there is none at either end.
    /// - Control characters, noncharacters, object replacements and invisible characters (bidirectional controls,
    ///   fillers, soft hyphens) are removed.
    /// - Joiners are kept between two characters, variation selectors on an emoji or on a letter of a script without
    ///   case, and tags on the flag that they belong to.
    /// - Enclosing marks are removed, except the keycap of an emoji, because they would extend beyond the text.
    /// - Other marks are kept on a base, at most `maximumMarks` of them. A cluster of more than `maximumScalars` becomes
    ///   U+FFFD.
    ///
    /// It takes linear time and accepts texts of any length. Plain text is returned unchanged.
    public static func plain(_ text: String) -> String {
        if isPlainASCII(text) { return text }
        var line = PlainLine()
        for scalar in text.unicodeScalars {
            line.add(scalar)
        }
        return replacingOversizedClusters(String(line.scalars))
    }

    /// Returns whether a text has only printable ASCII characters and single spaces between words, as most texts do.
    private static func isPlainASCII(_ text: String) -> Bool {
        let space = UInt8(ascii: " ")
        var last = space
        for byte in text.utf8 {
            guard (space...0x7E).contains(byte), byte != space || last != space else { return false }
            last = byte
        }
        return last != space || text.isEmpty
    }

    /// Returns a text in which each oversized cluster is replaced as a whole.
    ///
    /// A part of such a cluster could combine with the text next to it.
    private static func replacingOversizedClusters(_ text: String) -> String {
        text.reduce(into: "") { line, cluster in
            line.append(cluster.unicodeScalars.count > maximumScalars ? "\u{FFFD}" : cluster)
        }
    }
}

/// A line of plain text that is built scalar by scalar.
private struct PlainLine {
    var scalars = String.UnicodeScalarView()

    /// The last scalar of the line, without the pending one.
    private var lastScalar: Unicode.Scalar?

    /// A space or a joiner that is kept only if something follows.
    private var pendingScalar: Unicode.Scalar?

    /// The number of marks on the last base.
    private var markCount = 0

    mutating func add(_ scalar: Unicode.Scalar) {
        switch PlainRole(scalar) {
        case .ignored: return
        case .space: pendingScalar = lastScalar == nil ? nil : " "
        case .joiner: pendingScalar = lastScalar == nil ? nil : pendingScalar ?? scalar
        case .mark where mayAppendMark(scalar):
            append(scalar)
            markCount += 1
        case .mark: return
        case .tag
        where pendingScalar == nil && (lastScalar == PlainRole.flag || lastScalar.map(PlainRole.init) == .tag):
            append(scalar)
        case .tag: return
        case .base:
            append(scalar)
            markCount = 0
        }
    }

    private func mayAppendMark(_ scalar: Unicode.Scalar) -> Bool {
        guard let lastScalar, pendingScalar != " ", markCount < PlainText.maximumMarks else { return false }
        guard scalar.properties.isVariationSelector else { return true }
        let isEmojiSelector = scalar == "\u{FE0E}" || scalar == "\u{FE0F}"
        return pendingScalar == nil
            && (isEmojiSelector ? lastScalar.properties.isEmoji : lastScalar.properties.generalCategory == .otherLetter)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if let pendingScalar {
            scalars.append(pendingScalar)
        }
        pendingScalar = nil
        scalars.append(scalar)
        lastScalar = scalar
    }
}

/// The role of a scalar in plain text.
private enum PlainRole {
    case ignored
    case space
    case joiner
    case mark
    case tag
    case base

    /// The emoji that tags turn into a subdivision flag.
    static let flag: Unicode.Scalar = "\u{1F3F4}"

    init(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        let category = properties.generalCategory
        self =
            switch scalar {
            case "\u{200C}", "\u{200D}": .joiner
            // A blank Braille pattern looks like a space.
            case "\u{2800}": .space
            case "\u{E0020}"..."\u{E007F}": .tag
            // These are annotation and object replacement characters, which plain text does not have.
            case "\u{FFF9}"..."\u{FFFC}": .ignored
            case _ where properties.isWhitespace: .space
            case _ where properties.isVariationSelector: .mark
            case _ where category == .control || properties.isNoncharacterCodePoint: .ignored
            case _ where properties.isDefaultIgnorableCodePoint: .ignored
            case "\u{20E3}": .mark
            case _ where category == .enclosingMark: .ignored
            case _ where category == .nonspacingMark: .mark
            default: .base
            }
    }
}

extension String {
    /// The text between U+2068 and U+2069, so that its direction does not reorder the text around it (UAX #9).
    public var isolated: String {
        "\u{2068}\(self)\u{2069}"
    }
}
