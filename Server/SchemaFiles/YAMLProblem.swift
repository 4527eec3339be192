internal import Yams

/// A problem of a text that is not YAML, in words for people who do not know the parser.
struct YAMLProblem {
    /// A description of the problem.
    let message: String

    /// The place of the problem.
    let mark: Mark

    init(_ problem: String, _ context: YamlError.Context?, at mark: Mark, in text: String) {
        let rest = Self.restOfLine(in: text, at: mark)
        let restWithPrevious = Self.restOfLine(in: text, at: mark, precedingCount: 1)
        let begin = context.map { "\($0.mark)" } ?? ""
        var place = mark
        switch problem {
        case "found character that cannot start any token" where rest.hasPrefix("\t"):
            message = "a tab cannot indent a line; use spaces"
        case "found character that cannot start any token":
            message = "a text that begins with '\(rest.prefix(1))' needs quotation marks"
        case "mapping values are not allowed in this context":
            message = "a ':' is not allowed here; check the indentation, or put the text in quotation marks"
        case "did not find expected ',' or '}'" where restWithPrevious.hasPrefix("${"),
            "did not find expected ',' or ']'" where restWithPrevious.hasPrefix("${"):
            message = "in braces and brackets, a text with '${' needs quotation marks"
        case "did not find expected ',' or ']'": message = "expected ',' or ']' in the list that begins at \(begin)"
        case "did not find expected ',' or '}'": message = "expected ',' or '}' in the object that begins at \(begin)"
        case "could not find expected ':'":
            message = "a key needs ':' and a space after it"
            place = context?.mark ?? mark
        case "block sequence entries are not allowed in this context":
            message = "a '-' is not allowed here; begin a list on a new line"
        case "found a tab character that violates indentation": message = "a tab cannot indent a line; use spaces"
        case "did not find expected key":
            message =
                "expected a key of the object that begins at \(begin); check the indentation and the quotation marks"
        case "did not find expected '-' indicator":
            message = "expected '-' as in the list that begins at \(begin); check the indentation"
        case "found unexpected end of stream" where context?.text == "while scanning a quoted scalar":
            message = "the text has no closing quotation mark"
            place = context?.mark ?? mark
        case "found undefined alias":
            let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            message = "there is no anchor '&\(name)' before '*\(name)'"
        case "did not find expected node content": message = "expected a value"
        case "but found another document": message = "a second document begins here; the file can have only one"
        case "did not find expected <document start>": message = "expected the end of the file"
        case "found invalid Unicode character escape code":
            message = "an escape cannot stand for half of a character; write the character itself"
        default: message = problem
        }
        self.mark = place
    }

    /// Returns the rest of a line from a place, with a number of characters before the place.
    private static func restOfLine(in text: String, at mark: Mark, precedingCount: Int = 0) -> String {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(mark.line - 1) else { return "" }
        let offset = max(0, mark.column - 1 - precedingCount)
        return String(String.UnicodeScalarView(lines[mark.line - 1].dropFirst(offset)))
    }
}
