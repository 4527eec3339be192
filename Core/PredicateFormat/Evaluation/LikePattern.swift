/// The pattern of `LIKE`: `*` stands for any text, `?` for any one character, and a backslash takes the meaning from
/// what follows it.
///
/// A character is a Unicode scalar value of the text, as it is where nothing is folded. A pattern describes the whole of a
/// text; the empty one describes none, not even the empty text.
struct LikePattern: Sendable {
    private let isEmpty: Bool
    private let first: LikePiece
    private let middle: [LikePiece]

    /// What the text ends with; `nil` where there is no `*`, so that `first` is all of it.
    private let last: LikePiece?

    /// How many units a text has at least.
    private let minimumLength: Int
    private let options: ContentPredicate.Options

    /// Reads `pattern`; `nil` where a backslash ends it.
    init?(_ pattern: String, _ options: ContentPredicate.Options) {
        guard let units = Self.units(of: pattern, options) else { return nil }
        let pieces = units.map(LikePiece.init)
        isEmpty = pattern.isEmpty
        first = pieces[0]
        middle = pieces.count > 2 ? pieces[1..<pieces.count - 1].filter { !$0.units.isEmpty } : []
        last = pieces.count > 1 ? pieces[pieces.count - 1] : nil
        minimumLength = pieces.reduce(0) { $0 + $1.units.count }
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
        guard !isEmpty, text.count >= minimumLength, first.stands(in: text, at: 0, foldingCase: foldingCase) else {
            return false
        }
        guard let last else { return text.count == first.units.count }
        let end = text.count - last.units.count
        guard last.stands(in: text, at: end, foldingCase: foldingCase) else { return false }
        // Of several places of a piece the first is never the wrong one: it leaves most to the pieces behind it.
        var position = first.units.count
        for piece in middle {
            guard let match = piece.firstMatch(in: text, position..<end, foldingCase: foldingCase) else { return false }
            position = match + piece.units.count
        }
        return true
    }

    /// Cuts a pattern at every `*` that stands for itself; literal text is folded as the text to match will be.
    private static func units(of pattern: String, _ options: ContentPredicate.Options) -> [[UInt32]]? {
        var pieces: [[UInt32]] = [[]]
        var literal = String.UnicodeScalarView()
        func endLiteral() {
            pieces[pieces.count - 1] += PlatformText.folded(String(literal), options).unicodeScalars.map(\.value)
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
                guard let escaped = scalars.next() else { return nil }
                literal.append(escaped)
            default: literal.append(scalar)
            }
        }
        endLiteral()
        return pieces
    }
}
