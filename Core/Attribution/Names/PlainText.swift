/// Text of people and of apps, made fit to be shown on one line.
public enum PlainText {
    /// The most marks that stay on one base: with more of them they would reach out of an avatar's circle.
    public static let mostMarks = 2

    /// The most scalars that a grapheme cluster has.
    public static let mostScalars = 24

    /// Returns a text without what would break a line of text or leave it.
    ///
    /// Ours, over the properties of the Unicode Character Database:
    /// - White space and line breaks become single spaces, and none stands at either end.
    /// - Control characters, noncharacters, object replacements and what a reader does not see (bidirectional controls,
    ///   fillers, soft hyphens) go.
    /// - Joiners stay between two characters, variation selectors on an emoji or a letter of a script without case,
    ///   and tags on the flag that they belong to.
    /// - Enclosing marks go but for the keycap of an emoji: they would reach out beside the text.
    /// - Other marks stay on a base, at most `mostMarks` of them; a cluster of more than `mostScalars` becomes U+FFFD.
    ///
    /// It takes time in proportion to the text, and there is no limit to its length. Plain text stays as it is.
    public static func plain(_ text: String) -> String {
        if isPlainASCII(text) { return text }
        var line = PlainLine()
        for scalar in text.unicodeScalars {
            line.take(scalar)
        }
        return withoutTowers(String(line.scalars))
    }

    /// Whether a text is of letters, digits and signs of ASCII with single spaces between them, as most are.
    private static func isPlainASCII(_ text: String) -> Bool {
        let space = UInt8(ascii: " ")
        var last = space
        for byte in text.utf8 {
            guard (space...0x7E).contains(byte), byte != space || last != space else { return false }
            last = byte
        }
        return last != space || text.isEmpty
    }

    /// A cluster that is too large goes as a whole: what is left of one could join what stands next to it.
    private static func withoutTowers(_ text: String) -> String {
        text.reduce(into: "") { line, cluster in
            line.append(cluster.unicodeScalars.count > mostScalars ? "\u{FFFD}" : cluster)
        }
    }
}

/// A line of plain text while it grows, scalar by scalar.
private struct PlainLine {
    var scalars = String.UnicodeScalarView()

    /// The scalar that the line ends with, without what is pending.
    private var last: Unicode.Scalar?

    /// A space or a joiner that stays if something follows.
    private var pending: Unicode.Scalar?

    /// How many marks the last base has.
    private var marks = 0

    mutating func take(_ scalar: Unicode.Scalar) {
        switch PlainRole(scalar) {
        case .nothing: return
        case .space: pending = last == nil ? nil : " "
        case .joiner: pending = last == nil ? nil : pending ?? scalar
        case .mark where canMark(scalar):
            append(scalar)
            marks += 1
        case .mark: return
        case .tag where pending == nil && (last == PlainRole.flag || last.map(PlainRole.init) == .tag): append(scalar)
        case .tag: return
        case .base:
            append(scalar)
            marks = 0
        }
    }

    private func canMark(_ scalar: Unicode.Scalar) -> Bool {
        guard let last, pending != " ", marks < PlainText.mostMarks else { return false }
        guard scalar.properties.isVariationSelector else { return true }
        let isOfEmoji = scalar == "\u{FE0E}" || scalar == "\u{FE0F}"
        return pending == nil
            && (isOfEmoji ? last.properties.isEmoji : last.properties.generalCategory == .otherLetter)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if let pending {
            scalars.append(pending)
        }
        pending = nil
        scalars.append(scalar)
        last = scalar
    }
}

/// What a scalar is to plain text.
private enum PlainRole {
    case nothing
    case space
    case joiner
    case mark
    case tag
    case base

    /// The emoji that tags make the flag of a country's part.
    static let flag: Unicode.Scalar = "\u{1F3F4}"

    init(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        let category = properties.generalCategory
        self =
            switch scalar {
            case "\u{200C}", "\u{200D}": .joiner
            // Braille without a dot is as blank as a space.
            case "\u{2800}": .space
            case "\u{E0020}"..."\u{E007F}": .tag
            // Annotations and the place of an object, which text alone does not have.
            case "\u{FFF9}"..."\u{FFFC}": .nothing
            case _ where properties.isWhitespace: .space
            case _ where properties.isVariationSelector: .mark
            case _ where category == .control || properties.isNoncharacterCodePoint: .nothing
            case _ where properties.isDefaultIgnorableCodePoint: .nothing
            case "\u{20E3}": .mark
            case _ where category == .enclosingMark: .nothing
            case _ where category == .nonspacingMark: .mark
            default: .base
            }
    }
}

extension String {
    /// The text between U+2068 and U+2069, so that its direction does not reorder what stands around it (UAX #9).
    public var isolated: String {
        "\u{2068}\(self)\u{2069}"
    }
}
