internal import Attribution
internal import TextBasics

/// A value that can be shown as text.
package protocol TextPresentable {
    /// Returns the lines, without a line break at the end.
    func text(in style: TextStyle) -> String
}

extension String: TextPresentable {
    /// Returns the text without characters that would control a terminal.
    ///
    /// Lines that are too long for the terminal continue below, with the indentation of the line and two more spaces.
    package func text(in style: TextStyle) -> String {
        let text = self.safe(for: .terminalLines)
        guard let columns = style.columns else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Self.wrapped($0, to: columns) }.joined(separator: "\n")
    }

    /// Returns a line, broken between its words.
    private static func wrapped(_ line: Substring, to columns: Int) -> String {
        let indentation = String(repeating: " ", count: line.prefix { $0 == " " }.count + 2)
        return String(line).wrappedLines(width: columns, indentation: indentation).joined(separator: "\n")
    }

    /// Returns the text as lines of at most `columns`, broken between words; all but the first have an indentation.
    ///
    /// A word that is longer has a line of its own.
    func wrappedLines(width columns: Int, indentation: String = "") -> [String] {
        guard displayWidth > columns else { return [self] }
        var lines: [String] = []
        let words = split(separator: " ", omittingEmptySubsequences: false)
        var currentLine = String(words[0])
        for word in words.dropFirst() {
            let extendedLine = "\(currentLine) \(word)"
            if extendedLine.displayWidth <= columns || currentLine.allSatisfy({ $0 == " " }) {
                currentLine = extendedLine
            } else {
                lines.append(currentLine)
                currentLine = indentation + word
            }
        }
        return lines + [currentLine]
    }
}

/// Several parts, one below the other.
package struct TextParts: TextPresentable {
    private let parts: [any TextPresentable]

    /// Creates the value from its parts, from top to bottom.
    package init(_ parts: [any TextPresentable]) {
        self.parts = parts
    }

    /// Returns the lines of all parts.
    package func text(in style: TextStyle) -> String {
        parts.map { $0.text(in: style) }.joined(separator: "\n")
    }
}
