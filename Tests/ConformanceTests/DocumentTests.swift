import Foundation
import Testing
import WaypostTestSupport

@Suite struct DocumentTests {
    /// If `WAYPOST_WRITE_DOCS=1` is set, the test first writes the page.
    @Test func pageAgreesWithTheSentencesAndTheTests() throws {
        let text = try ConformanceDocument(conformance: Conformance.project.get()).text
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" {
            try Data(text.utf8).write(to: ConformanceDocument.file)
        }
        let page = (try? String(contentsOf: ConformanceDocument.file, encoding: .utf8)) ?? ""
        let pairs = zip(page.split(separator: "\n"), text.split(separator: "\n"))
        let difference = pairs.first { $0 != $1 }.map { "found \($0), expected \($1)" } ?? "its end differs"
        #expect(page == text, "docs/conformance.md: \(difference). To regenerate it: \(ConformanceDocument.command)")
    }

    @Test func rowHasTheRuleAndTheTests() {
        let sentences = [
            Sentence(
                number: "T1",
                talk: .targeting,
                section: "One",
                sentence: "A | B.",
                rule: "docs/targeting.md, rule 1",
                demonstration: SentenceDemonstration(command: "waypost a", output: "b", status: 1)
            ),
            Sentence(
                number: "T2",
                talk: .targeting,
                section: "One",
                sentence: "C.",
                rule: "`Scene`",
                demonstration: SentenceDemonstration(command: "waypost scenario run c.yaml", step: "c: {}")
            ),
            Sentence(
                number: "T3",
                talk: .targeting,
                section: "Two",
                sentence: "D.",
                rule: "`SceneSelection`",
                demonstration: SentenceDemonstration(reason: "Nothing happens.")
            ),
        ]
        let proofs = [
            Proof(number: "T1", test: "A/b", path: "C/A.swift"), Proof(number: "T1", test: "A/c", path: "C/A.swift"),
        ]
        let text = ConformanceDocument(conformance: Conformance(sentences: sentences, proofs: proofs)).text
        let rows = text.split(separator: "\n").filter { $0.contains(/^\| T\d/) }
        #expect(
            rows == [
                """
                | T1 | A \\| B. | [targeting.md](targeting.md), rule 1 | `waypost a`<br>shows `b`<br>exits with 1 | \
                [`A/b`](../Tests/C/A.swift)<br>[`A/c`](../Tests/C/A.swift) |
                """,
                "| T2 | C. | `Scene` | `waypost scenario run c.yaml`<br>step: `c: {}` | none yet |",
                "| T3 | D. | `SceneSelection` | Nothing happens. | none yet |",
            ]
        )
        #expect(text.contains("| Targeting Content with Multiple Windows (WWDC19) | 3 | 1 | 2 |"))
        #expect(text.contains("### One\n") && text.contains("### Two\n"))
    }
}
