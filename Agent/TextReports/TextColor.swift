/// A color of text, one of those that each terminal has.
package enum TextColor: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34

    /// Returns colored text.
    func applied(to text: String) -> String {
        text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
