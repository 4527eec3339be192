/// A pattern of `LIKE`: `*` matches any text, `?` matches any one character, and a backslash escapes the next
/// character.
///
/// A character is one Unicode scalar value of the text, or of the folded text if the options fold it. A pattern must
/// match the whole text; the empty pattern matches nothing, not even the empty text.
struct LikePattern: Sendable {
    private let isEmpty: Bool

    /// The beginning of the text, up to the first `*`.
    private let prefix: [UInt32]
    private let middle: [LikePiece]

    /// The end of the text, after the last `*`; `nil` if there is no `*`, in which case `prefix` is the whole pattern.
    private let suffix: [UInt32]?

    /// The minimum length of a text, in units.
    private let minimumLength: Int
    private let options: ContentPredicate.Options

    /// Parses `pattern`.
    ///
    /// - Throws: `LikePatternError` if the pattern ends with a backslash, or if a part of it is too long to search for.
    init(_ pattern: String, options: ContentPredicate.Options) throws(LikePatternError) {
        let pieces = try Self.pieces(of: pattern, options: options)
        isEmpty = pattern.isEmpty
        prefix = pieces[0]
        suffix = pieces.count > 1 ? pieces[pieces.count - 1] : nil
        middle = try pieces.dropFirst().dropLast().filter { !$0.isEmpty }
            .map { (units) throws(LikePatternError) in try LikePiece(units) }
        minimumLength = pieces.reduce(0) { $0 + $1.count }
        self.options = options
    }

    /// Returns whether the pattern matches `text`.
    ///
    /// - Complexity: O(length of `text`); a piece with `?` between two `*` costs this once for each 64 of its units.
    func matches(_ text: StringView) -> Bool {
        if text.isASCII {
            return matches(text.bytes, foldingCase: options.contains(.caseInsensitive))
        }
        let scalars = PlatformString.folded(text.string, options: options).unicodeScalars.map(\.value)
        return scalars.withUnsafeBufferPointer { matches($0, foldingCase: false) }
    }

    private func matches<Unit: FixedWidthInteger & UnsignedInteger>(
        _ text: UnsafeBufferPointer<Unit>,
        foldingCase: Bool
    ) -> Bool {
        guard !isEmpty, text.count >= minimumLength,
            LikePiece.matches(prefix, in: text, at: 0, foldingCase: foldingCase)
        else { return false }
        guard let suffix else { return text.count == prefix.count }
        let end = text.count - suffix.count
        guard LikePiece.matches(suffix, in: text, at: end, foldingCase: foldingCase) else { return false }
        // The first match of a piece is always the best one, because it leaves the most text for the next pieces.
        var position = prefix.count
        for piece in middle {
            guard let match = piece.firstMatch(in: text, position..<end, foldingCase: foldingCase) else { return false }
            position = match + piece.units.count
        }
        return true
    }

    /// Returns the first part of the pattern that a text lacks, as a clause; `nil` if the pattern matches.
    func mismatch(in text: String) -> String? {
        let units = PlatformString.folded(text, options: options).unicodeScalars.map(\.value)
        return units.withUnsafeBufferPointer { text in
            guard LikePiece.matches(prefix, in: text, at: 0, foldingCase: false) else {
                return "SELF does not begin with \(Self.text(of: prefix))"
            }
            guard let suffix else { return text.count == prefix.count ? nil : "SELF is longer than the pattern" }
            let end = text.count - suffix.count
            guard end >= prefix.count, LikePiece.matches(suffix, in: text, at: end, foldingCase: false) else {
                return "SELF does not end with \(Self.text(of: suffix))"
            }
            var position = prefix.count
            for piece in middle {
                guard let match = piece.firstMatch(in: text, position..<end, foldingCase: false) else {
                    return "\(Self.text(of: piece.units)) is not in SELF where the pattern has it"
                }
                position = match + piece.units.count
            }
            return nil
        }
    }

    /// Returns a part of the pattern in quotation marks.
    private static func text(of units: [UInt32]) -> String {
        let scalars = units.compactMap { $0 == LikePiece.wildcard ? "?" : Unicode.Scalar($0) }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text).quotedForReason
    }

    /// Splits a pattern at every `*` that is not escaped; literal text is folded in the same way as the text to match.
    private static func pieces(
        of pattern: String,
        options: ContentPredicate.Options
    ) throws(LikePatternError) -> [[UInt32]] {
        var pieces: [[UInt32]] = [[]]
        var literal = String.UnicodeScalarView()
        func endLiteral() {
            // Folding treats a diacritic at the beginning of a text differently than after a character, so a character
            // is put before a literal that is not at the beginning.
            let isFirst = pieces.count == 1 && pieces[0].isEmpty
            let folded = PlatformString.folded((isFirst ? "" : "?") + String(literal), options: options)
            pieces[pieces.count - 1] += folded.unicodeScalars.dropFirst(isFirst ? 0 : 1).map(\.value)
            literal = String.UnicodeScalarView()
        }
        var scalars = pattern.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "*":
                endLiteral()
                pieces.append([])
            case "?":
                endLiteral()
                pieces[pieces.count - 1].append(LikePiece.wildcard)
            case "\\":
                guard let escaped = scalars.next() else { throw .trailingBackslash }
                literal.append(escaped)
            default: literal.append(scalar)
            }
        }
        endLiteral()
        return pieces
    }
}

/// The reason that a `LIKE` pattern is invalid.
enum LikePatternError: Error {
    case trailingBackslash

    /// A part between two `*`, with `?` in it, exceeds the maximum length.
    case partTooLong(Int)

    /// A description of the error, with what is accepted.
    var message: String {
        switch self {
        case .trailingBackslash:
            "found a LIKE pattern that ends with a single backslash; write \\\\ for a backslash in a pattern"
        case .partTooLong(let count):
            """
            found \(count) characters with ? between two * in a LIKE pattern; at most \(LikePiece.maximumLength) are \
            accepted
            """
        }
    }
}
