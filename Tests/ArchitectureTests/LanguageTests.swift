import Testing

/// Checks of the language rules that a program can check in comments and messages.
@Suite struct LanguageTests {
    private static let files = SourceFile.product + SourceFile.tests

    /// Words that come before a clause of place; a condition begins with `if`, `when` or `unless`.
    private static let placeWords: Set = [
        "address", "and", "byte", "column", "depend", "differ", "find", "finds", "folder", "from", "inbox", "index",
        "is", "know", "knows", "line", "on", "place", "position", "returns", "row", "say", "says", "show", "shows",
        "tell", "tells", "to", "track", "tracks",
    ]

    /// Words and phrases that earlier texts had invented, and the field's words for them.
    private static let inventedTerms = [
        "now or never": "transient, or expiration 0",
        "in the air": "unacknowledged, or in flight",
        "mailroom": "service",
        "ledger": "transaction",
        "manners": "limits, or rules",
        "patience": "time-out",
        "no say": "ignored",
        "anew": "again",
        "is none of": "is not",
        "became of": "outcome, or state",
        "has become of": "outcome, or state",
        "whoever": "the caller, the client, the user",
    ]

    @Test(arguments: files) func conditionIsNotWrittenWithWhere(_ file: SourceFile) {
        for comment in file.comments where comment.text.contains("here") {
            for match in comment.text.matches(of: #/(?:(\w+)\W+)?\b[Ww]here\b(?! to\b)/#) {
                let word = match.1.map { $0.lowercased() } ?? ""
                #expect(Self.placeWords.contains(word), "\(file):\(comment.line): \(comment.text)")
            }
        }
    }

    @Test(arguments: files) func documentationBeginsWithAVerbOrANoun(_ file: SourceFile) {
        let relative = #/^(What|Whatever|Who|Whoever|Whom|Whose|Where|Wherever)\b/#
        for comment in file.comments where comment.isDocumentation && comment.isFirst && comment.text.hasPrefix("Wh") {
            #expect(comment.text.firstMatch(of: relative) == nil, "\(file):\(comment.line): \(comment.text)")
        }
    }

    @Test(arguments: files) func inventedTermIsAbsent(_ file: SourceFile) {
        guard !file.path.hasSuffix("LanguageTests.swift") else { return }
        let contents = file.lines.joined(separator: "\n").lowercased()
        let terms = Self.inventedTerms.filter { contents.contains($0.key) }
        guard !terms.isEmpty else { return }
        for (index, line) in file.lines.enumerated() {
            let isComment = line.drop { $0 == " " }.hasPrefix("//")
            // Outside of comments, only the contents of string literals are language.
            let parts = line.lowercased().split(separator: "\"", omittingEmptySubsequences: false)
            let text =
                isComment ? line.lowercased() : stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.joined()
            for (term, replacement) in terms where text.contains(term) {
                Issue.record("\(file):\(index + 1): '\(term)' is an invented term; write: \(replacement)")
            }
        }
    }

    /// Limits are `maximum…` and `minimum…`.
    @Test func limitIsAMaximumOrAMinimum() {
        let words = ["most", "least", "longest", "shortest", "greatest", "largest", "smallest"]
        for file in SourceFile.product {
            for (index, line) in file.lines.enumerated() {
                let parts = line.split(separator: " ")
                guard let keyword = parts.firstIndex(where: { $0 == "let" || $0 == "var" }), keyword + 1 < parts.count
                else { continue }
                let name = parts[keyword + 1]
                let isLimit = words.contains {
                    name.hasPrefix($0) && name.dropFirst($0.count).first?.isUppercase == true
                }
                #expect(!isLimit, "\(file):\(index + 1): use maximum or minimum")
            }
        }
    }
}
