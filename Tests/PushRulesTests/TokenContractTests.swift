import Foundation
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

/// The table of the life of tokens.
@Suite struct TokenContractTests {
    @Test func everyKindHasOneRow() {
        #expect(TokenContract.all.map(\.kind) == TokenPurpose.Kind.allCases)
    }

    @Test(arguments: TokenPurpose.Kind.allCases) func rowIsComplete(_ kind: TokenPurpose.Kind) throws {
        let row = try #require(TokenContract.all.first { $0.kind == kind })
        for rule in row.rules {
            #expect(!rule.value.isEmpty)
            #expect(!rule.value.contains { $0 == "|" || $0.isNewline }, "\(rule.value)")
            #expect(!rule.evidence.isEmpty, "\(rule.value)")
            #expect(Set(rule.evidence).count == rule.evidence.count, "\(rule.value)")
        }
        // The call is code, and somebody has documented it.
        #expect(row.call.value.hasPrefix("`"))
        #expect(row.call.evidence.first != .inferred)
    }

    @Test func tokensDifferInWhatTheyAreFor() {
        let calls = TokenContract.all.map(\.call.value)
        #expect(Set(calls).count == calls.count)
    }

    @Test(arguments: ["", "a", "<!-- tokens -->", "<!-- end of tokens -->\n<!-- tokens -->"])
    func pageNeedsThePlaceOfTheTables(_ page: String) {
        #expect(TokenTables.updating(page) == nil)
    }

    @Test func pageKeepsWhatIsAroundTheTables() throws {
        let page = try #require(TokenTables.updating("a\n<!-- tokens -->\nold\n<!-- end of tokens -->\nb\n"))
        #expect(page.hasPrefix("a\n<!-- tokens -->\n\n| kind |"))
        #expect(page.hasSuffix("\n\n<!-- end of tokens -->\nb\n"))
        #expect(!page.contains("old\n"))
        #expect(TokenTables.updating(page) == page)
    }

    /// The tables of docs/notifications.md are made from the table; with `WAYPOST_WRITE_DOCS=1` they are written first.
    @Test func documentIsCurrent() throws {
        let url = Repository.root.appending(path: "docs/notifications.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let expected = try #require(TokenTables.updating(page))
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" {
            try Data(expected.utf8).write(to: url)
        }
        let isCurrent = try String(contentsOf: url, encoding: .utf8) == expected
        #expect(isCurrent, "to write it again: WAYPOST_WRITE_DOCS=1 make test FILTER=TokenContractTests")
    }
}
