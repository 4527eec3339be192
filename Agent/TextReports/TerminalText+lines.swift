package import Attribution

extension TerminalText {
    /// Returns lines without characters that would control a terminal.
    package static func safe(lines: String) -> String {
        lines.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }.joined(separator: "\n")
    }
}
