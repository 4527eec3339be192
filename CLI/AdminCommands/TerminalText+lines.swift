internal import Attribution

extension TerminalText {
    /// Returns lines without anything that a terminal would act on.
    static func safe(lines: String) -> String {
        lines.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }.joined(separator: "\n")
    }
}
