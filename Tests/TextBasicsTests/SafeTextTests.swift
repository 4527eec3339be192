import Testing
import TextBasics

/// Text from elsewhere, as each destination shows it.
@Suite struct SafeTextTests {
    @Test(arguments: [
        ("\u{2068}Ann\u{2069} and \u{2068}Bo\u{2069}", "Ann and Bo"),
        ("\u{2068}سارة\u{2069} and \u{2068}Bo\u{2069}", "\u{2068}سارة\u{2069} and \u{2068}Bo\u{2069}"),
        ("\u{1B}[31mred\u{7}", "\u{FFFD}[31mred\u{FFFD}"),
        ("a\nb\u{9B}2J\u{2028}", "a\u{FFFD}b\u{FFFD}2J\u{FFFD}"),
        ("a\u{202E}b\u{202C}", "a\u{FFFD}b\u{FFFD}"),
        ("👩‍👩‍👧 田中", "👩‍👩‍👧 田中"),
    ])
    func terminalReplacesControlsAndOverrides(_ text: String, _ safe: String) {
        #expect(text.safe(for: .terminal) == safe)
    }

    @Test func linesOfATerminalKeepTheirEnds() {
        #expect("a\n\n\u{1B}b\n".safe(for: .terminalLines) == "a\n\n\u{FFFD}b\n")
    }

    @Test(arguments: [
        ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("a\nerror forged", #"a\nerror forged"#), ("\u{9B}2J", #"\u{009B}2J"#),
        ("\u{202E}txt", #"\u{202E}txt"#), ("\u{2066}", #"\u{2066}"#), ("\u{2028}", #"\u{2028}"#), ("Zoë 🤡", "Zoë 🤡"),
    ])
    func logEscapesWhatIsInvisible(_ text: String, _ safe: String) {
        #expect(text.safe(for: .log) == safe)
        #expect(text.safe(for: .excerpt) == safe)
    }

    @Test func excerptEndsAfter120Scalars() {
        let long = String(repeating: "e\u{301}", count: 100)
        #expect(String(repeating: "x", count: 120).safe(for: .excerpt) == String(repeating: "x", count: 120))
        #expect(long.safe(for: .excerpt) == String(repeating: "e\u{301}", count: 60) + "…")
    }

    @Test func jsonHasItsOwnEscapes() {
        #expect("\"a\u{9B}\u{202E}\u{E0001}ü\"".safe(for: .json) == #""a\u009b\u202e\udb40\udc01ü""#)
    }

    @Test func htmlHasNoMarkupAndNothingHidden() {
        let text = "<a href='x'>\"&\u{202E}b\n\u{1B}\u{FEFF}"
        #expect(text.safe(for: .html) == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\u{FFFD}b \u{FFFD}\u{FFFD}")
    }

    /// The characters of Unicode that control text.
    private static let controls = (UInt32(0)...0x10_FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    @Test(arguments: TextDestination.allCases) func noDestinationHasAControlOrAnOverride(_ destination: TextDestination)
    {
        #expect(Self.controls.count > 200)
        let allowed: Set<Unicode.Scalar> = destination == .terminalLines ? ["\n"] : []
        let overrides = ("\u{202A}" as Unicode.Scalar)..."\u{202E}"
        for scalar in Self.controls {
            for safe in "a\(scalar)b".safe(for: destination).unicodeScalars where !allowed.contains(safe) {
                let isControl = safe.value < 0x20 || 0x7F...0x9F ~= safe.value
                if isControl || overrides.contains(safe) || safe == "\u{2028}" || safe == "\u{2029}" {
                    Issue.record("U+\(String(scalar.value, radix: 16)) reaches \(destination)")
                }
            }
        }
    }

    /// The isolates are only safe in pairs, which no other text than that of a terminal has.
    @Test(arguments: [TextDestination.log, .excerpt, .json, .html], ["\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}"])
    func noOtherDestinationHasAnIsolate(_ destination: TextDestination, _ isolate: String) {
        let isolates = ("\u{2066}" as Unicode.Scalar)..."\u{2069}"
        #expect(!"سارة\(isolate)".safe(for: destination).unicodeScalars.contains(where: isolates.contains))
    }
}
