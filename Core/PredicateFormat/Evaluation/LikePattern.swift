/// The pattern of `LIKE`: `*` stands for any text, `?` for any one character, and a backslash takes the meaning from
/// what follows it.
///
/// A character is a Unicode scalar value of the text, as it is where nothing is folded. A pattern describes the whole of a
/// text; the empty one describes none, not even the empty text.
struct LikePattern: Sendable {
    private let isEmpty: Bool

    /// What the text begins with, up to the first `*`.
    private let first: [UInt32]
    private let middle: [LikePiece]

    /// What the text ends with; `nil` where there is no `*`, so that `first` is all of it.
    private let last: [UInt32]?

    /// How many units a text has at least.
    private let minimumLength: Int
    private let options: ContentPredicate.Options

    /// Reads `pattern`.
    ///
    /// - Throws: `LikePatternError` where a backslash ends it, or a part of it cannot be looked for soon enough.
    init(_ pattern: String, _ options: ContentPredicate.Options) throws(LikePatternError) {
        let units = try Self.units(of: pattern, options)
        isEmpty = pattern.isEmpty
        first = units[0]
        last = units.count > 1 ? units[units.count - 1] : nil
        middle = try units.dropFirst().dropLast().filter { !$0.isEmpty }
            .map { (units) throws(LikePatternError) in try LikePiece(units) }
        minimumLength = units.reduce(0) { $0 + $1.count }
        self.options = options
    }

    /// Returns whether the pattern describes `text`.
    ///
    /// - Complexity: O(length of `text`), and for a piece with `?` between two `*` as much for every 64 of its units.
    func describes(_ text: TextView) -> Bool {
        if text.isASCII {
            return describes(text.bytes, foldingCase: options.contains(.caseInsensitive))
        }
        let scalars = PlatformText.folded(text.text, options).unicodeScalars.map(\.value)
        return scalars.withUnsafeBufferPointer { describes($0, foldingCase: false) }
    }

    private func describes<Unit: FixedWidthInteger & UnsignedInteger>(
        _ text: UnsafeBufferPointer<Unit>,
        foldingCase: Bool
    ) -> Bool {
        guard !isEmpty, text.count >= minimumLength, LikePiece.stands(first, in: text, at: 0, foldingCase) else {
            return false
        }
        guard let last else { return text.count == first.count }
        let end = text.count - last.count
        guard LikePiece.stands(last, in: text, at: end, foldingCase) else { return false }
        // Of several places of a piece the first is never the wrong one: it leaves most to the pieces behind it.
        var position = first.count
        for piece in middle {
            guard let match = piece.firstMatch(in: text, position..<end, foldingCase: foldingCase) else { return false }
            position = match + piece.units.count
        }
        return true
    }

    /// Cuts a pattern at every `*` that stands for itself; literal text is folded as the text to match will be.
    private static func units(
        of pattern: String,
        _ options: ContentPredicate.Options
    ) throws(LikePatternError) -> [[UInt32]] {
        var pieces: [[UInt32]] = [[]]
        var literal = String.UnicodeScalarView()
        func endLiteral() {
            // What is folded at the beginning of a text, a mark, is not behind a character, so that one stands in front.
            let isFirst = pieces.count == 1 && pieces[0].isEmpty
            let folded = PlatformText.folded((isFirst ? "" : "?") + String(literal), options)
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
                guard let escaped = scalars.next() else { throw .backslashAtTheEnd }
                literal.append(escaped)
            default: literal.append(scalar)
            }
        }
        endLiteral()
        return pieces
    }
}

/// Why a pattern of `LIKE` is none.
enum LikePatternError: Error {
    case backslashAtTheEnd

    /// A part between two `*`, with `?` in it, is longer than is looked for.
    case longPart(Int)

    /// What was found and what is accepted.
    var message: String {
        switch self {
        case .backslashAtTheEnd:
            "found a LIKE pattern that ends with a single backslash; write \\\\ for a backslash in a pattern"
        case .longPart(let count):
            """
            found \(count) characters with ? between two * in a LIKE pattern; at most \(LikePiece.maximumLength) are \
            accepted
            """
        }
    }
}
