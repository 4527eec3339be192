/// The properties of the terminal or file that text is for.
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
