/// The meaning of a `LIKE` pattern, from a table of which prefixes of the pattern match which prefixes of a text.
struct WildcardOracle {
    private enum Element {
        case anyText
        case anyCharacter
        case character(Unicode.Scalar)
    }

    private let elements: [Element]

    /// Parses `pattern`, or returns `nil` if it ends with a backslash that escapes nothing.
    init?(_ pattern: String) {
        var elements: [Element] = []
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                elements.append(.character(scalar))
                isEscaped = false
            case "\\": isEscaped = true
            case "*": elements.append(.anyText)
            case "?": elements.append(.anyCharacter)
            default: elements.append(.character(scalar))
            }
        }
        if isEscaped { return nil }
        self.elements = elements
    }

    /// Returns whether the pattern matches the whole of `text`.
    ///
    /// Only the case of ASCII letters may be ignored.
    func describes(_ text: String, foldingCase: Bool) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard !elements.isEmpty else { return false }
        // Which prefixes of the text the elements up to the current one match.
        var described = Array(repeating: false, count: scalars.count + 1)
        described[0] = true
        for element in elements {
            var next = Array(repeating: false, count: scalars.count + 1)
            for count in 0...scalars.count {
                switch element {
                case .anyText: next[count] = described[count] || (count > 0 && next[count - 1])
                case .anyCharacter: next[count] = count > 0 && described[count - 1]
                case .character(let scalar):
                    next[count] =
                        count > 0 && described[count - 1]
                        && Self.isSame(scalar, scalars[count - 1], foldingCase: foldingCase)
                }
            }
            described = next
        }
        return described[scalars.count]
    }

    private static func isSame(_ left: Unicode.Scalar, _ right: Unicode.Scalar, foldingCase: Bool) -> Bool {
        guard foldingCase, left.isASCII, right.isASCII else { return left == right }
        return Character(left).lowercased() == Character(right).lowercased()
    }
}
