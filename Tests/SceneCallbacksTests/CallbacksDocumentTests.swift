import Foundation
import SceneCallbacks
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct CallbacksDocumentTests {
    /// docs/callbacks.md is made from the tables; with `WAYPOST_WRITE_DOCS=1` it is written first.
    @Test func documentIsCurrent() throws {
        let url = Repository.root.appending(path: "docs/callbacks.md")
        let expected = CallbacksDocument.text
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" { try Data(expected.utf8).write(to: url) }
        let isCurrent = try String(contentsOf: url, encoding: .utf8) == expected
        #expect(isCurrent, "to write it again: WAYPOST_WRITE_DOCS=1 make test FILTER=CallbacksDocumentTests")
    }

    @Test(arguments: EventCause.allCases) func everyCauseHasRowsForEachLifeCycle(_ cause: EventCause) {
        let sections = CallbacksDocument.text.split(separator: "\n## ").filter { $0.hasPrefix("An app with") }
        #expect(sections.count == CallbacksDocument.lifeCycles.count)
        for section in sections { #expect(section.contains("\n| \(cause.title) | ")) }
    }
}
