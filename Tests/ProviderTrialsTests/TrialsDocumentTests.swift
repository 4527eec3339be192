import Foundation
import ProviderTrials
import Testing
import WaypostTestSupport

/// The table of trials in docs/providers.md.
@Suite struct TrialsDocumentTests {
    @Test func everyTrialHasANameOfItsOwn() {
        let names = ProviderTrial.all.map(\.name)
        let characters = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        #expect(Set(names).count == names.count)
        for name in names { #expect(!name.isEmpty && characters.isSuperset(of: name), "\(name)") }
    }

    @Test(arguments: ProviderTrial.all.map(\.name)) func rowIsComplete(_ name: String) throws {
        let trial = try #require(ProviderTrial.all.first { $0.name == name })
        for text in [trial.rule, trial.source, trial.advice] {
            #expect(!text.isEmpty)
            #expect(!text.contains { $0 == "|" || $0.isNewline }, "\(text)")
        }
        #expect(!trial.steps.isEmpty)
    }

    @Test(
        arguments: [
            (true, false, 1, "| `a` | quick |  | The rule. | The page |"),
            (false, true, 1, "| `a` | whole | `faketime` | The rule. | The page |"),
            (true, true, 3, "| `a` | quick | `faketime`, 3 processes | The rule. | The page |"),
        ] as [(Bool, Bool, Int, String)]
    )
    func rowSaysTheSetAndTheNeeds(_ isQuick: Bool, movesClock: Bool, processes: Int, row: String) throws {
        var trial = try #require(ProviderTrial.all.first)
        (trial.name, trial.rule, trial.source) = ("a", "The rule.", "The page")
        (trial.isQuick, trial.movesClock, trial.processes) = (isQuick, movesClock, processes)
        #expect(TrialTable.table(of: [trial]).split(separator: "\n").last.map(String.init) == row)
    }

    @Test(arguments: ["", "a", "<!-- trials -->", "<!-- end of trials -->\n<!-- trials -->"])
    func pageNeedsThePlaceOfTheTable(_ page: String) {
        #expect(TrialTable.updating(page) == nil)
    }

    @Test func pageKeepsTheTextAroundTheTable() throws {
        let page = try #require(TrialTable.updating("a\n<!-- trials -->\nold\n<!-- end of trials -->\nb\n"))
        #expect(page.hasPrefix("a\n<!-- trials -->\n\nThere are "))
        #expect(page.hasSuffix("|\n\n<!-- end of trials -->\nb\n"))
        #expect(!page.contains("old\n"))
        #expect(TrialTable.updating(page) == page)
    }

    /// The table of docs/providers.md is made from the trials; with `WAYPOST_WRITE_DOCS=1` it is written first.
    @Test func documentIsCurrent() throws {
        let url = Repository.root.appending(path: "docs/providers.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let expected = try #require(TrialTable.updating(page))
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" {
            try Data(expected.utf8).write(to: url)
        }
        let isCurrent = try String(contentsOf: url, encoding: .utf8) == expected
        #expect(isCurrent, "to write it again: WAYPOST_WRITE_DOCS=1 make test FILTER=TrialsDocumentTests")
    }
}
