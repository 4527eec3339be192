internal import Attribution

/// The properties of the place where text is shown.
package struct TextStyle: Sendable, Equatable {
    /// The number of columns of the terminal; `nil` if lines may have any length.
    package var columns: Int?

    /// Whether text may be colored.
    package var hasColors: Bool

    /// The style of text for a file or a program.
    package static let plain = Self(columns: nil, hasColors: false)

    /// Creates the style from its parts.
    package init(columns: Int?, hasColors: Bool) {
        self.columns = columns
        self.hasColors = hasColors
    }
}

/// A color of text, one of those that each terminal has.
package enum TextColor: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case gray = 90

    /// Returns colored text.
    func applied(to text: String) -> String {
        text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}

/// Something that can be shown as text.
package protocol TextPresentable {
    /// Returns the lines, without a line break at the end.
    func text(in style: TextStyle) -> String
}

extension String: TextPresentable {
    /// Returns the text without characters that would control a terminal.
    package func text(in style: TextStyle) -> String {
        TerminalText.safe(lines: self)
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
