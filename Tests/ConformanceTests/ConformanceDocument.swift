import Foundation
import WaypostTestSupport

/// The text of `docs/conformance.md`, generated from the sentences and the tests.
struct ConformanceDocument {
    /// The path of the page.
    static let file = Repository.root.appending(path: "docs/conformance.md")

    /// The command that writes the page.
    static let command = "WAYPOST_WRITE_DOCS=1 make test FILTER=ConformanceTests"

    let conformance: Conformance

    /// The whole text.
    var text: String {
        ([head] + Talk.allCases.map(chapter)).joined(separator: "\n") + "\n"
    }

    private var head: String {
        """
        # Conformance

        Use this page to find the rule that implements a sentence of the two talks, or of Apple's
        documentation of notifications, a command to try it, and the tests that prove it. The sentences are in our
        words and numbered; greetings, jokes and requests to the audience are left out. What a sentence marks as ours
        is not from Apple. A test names the sentences that it proves in a trait, such as `.proves("B47")`.

        Run the commands in the root of the repository, with the programs on the `PATH` and without a gateway. A *step*
        is a text in the step of the scenario that shows the sentence, or in the comment before it.

        This page is generated from `Tests/Vectors/conformance.jsonl` and the sources of the tests. To generate it again:

            \(Self.command)

        A test fails if a sentence has no test, if a test names a sentence that does not exist, if a command has
        another result, or if this page differs from the generated one. `make test` fails if none of the tests of a
        sentence ran.

        | source | sentences | proved | without a test |
        |---|---|---|---|
        \(Talk.allCases.map(tally).joined(separator: "\n"))

        """
    }

    private func tally(_ talk: Talk) -> String {
        let sentences = conformance.sentences.filter { $0.talk == talk }
        let unproved = Set(conformance.unproved).intersection(sentences.map(\.number)).count
        return "| \(talk.title) | \(sentences.count) | \(sentences.count - unproved) | \(unproved) |"
    }

    private func chapter(_ talk: Talk) -> String {
        let sentences = conformance.sentences.filter { $0.talk == talk }
        var sections: [String] = []
        for sentence in sentences where sections.last != sentence.section { sections.append(sentence.section) }
        let tables = sections.map { section in
            table(section, sentences.filter { $0.section == section })
        }
        return (["## \(talk.title)\n"] + tables).joined(separator: "\n")
    }

    private func table(_ section: String, _ sentences: [Sentence]) -> String {
        """
        ### \(section)

        | # | sentence | rule | try it | tests |
        |---|---|---|---|---|
        \(sentences.map(row).joined(separator: "\n"))

        """
    }

    private func row(_ sentence: Sentence) -> String {
        let cells = [
            sentence.number, sentence.sentence, rule(of: sentence), text(of: sentence.demonstration),
            tests(of: sentence),
        ]
        return "| \(cells.map { $0.replacing("|", with: #"\|"#) }.joined(separator: " | ")) |"
    }

    private func rule(of sentence: Sentence) -> String {
        // The page is in the same folder as the pages that the rules name.
        sentence.rule.replacing(/docs\/([\w-]+\.md)/) { "[\($0.output.1)](\($0.output.1))" }
    }

    private func text(of demonstration: SentenceDemonstration) -> String {
        guard let command = demonstration.command else { return demonstration.reason ?? "not tried yet" }
        let lines = [
            "`\(command)`", demonstration.step.map { "step: `\($0)`" }, demonstration.output.map { "shows `\($0)`" },
            demonstration.status.map { "exits with \($0)" },
        ]
        return lines.compactMap(\.self).joined(separator: "<br>")
    }

    private func tests(of sentence: Sentence) -> String {
        let proofs = conformance.proofs(of: sentence.number)
        guard !proofs.isEmpty else { return "none yet" }
        return proofs.map { "[`\($0.test)`](../Tests/\($0.path))" }.joined(separator: "<br>")
    }
}
