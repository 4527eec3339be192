/// The meaning of a `LIKE` pattern, from a table of which prefixes of the pattern match which prefixes of a text.
struct WildcardOracle {
    private enum Element {
        case anySequence
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
            case "*": elements.append(.anySequence)
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
    func matches(_ text: String, foldingCase: Bool) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard !elements.isEmpty else { return false }
        // matchedPrefixes[count]: whether the elements so far match the first `count` scalars of the text.
        var matchedPrefixes = Array(repeating: false, count: scalars.count + 1)
        matchedPrefixes[0] = true
        for element in elements {
            var next = Array(repeating: false, count: scalars.count + 1)
            for count in 0...scalars.count {
                switch element {
                case .anySequence: next[count] = matchedPrefixes[count] || (count > 0 && next[count - 1])
                case .anyCharacter: next[count] = count > 0 && matchedPrefixes[count - 1]
                case .character(let scalar):
                    next[count] =
                        count > 0 && matchedPrefixes[count - 1]
                        && Self.isSame(scalar, scalars[count - 1], foldingCase: foldingCase)
                }
            }
            matchedPrefixes = next
        }
        return matchedPrefixes[scalars.count]
    }

    private static func isSame(_ left: Unicode.Scalar, _ right: Unicode.Scalar, foldingCase: Bool) -> Bool {
        guard foldingCase, left.isASCII, right.isASCII else { return left == right }
        return Character(left).lowercased() == Character(right).lowercased()
    }
}
