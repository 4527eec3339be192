import Highlights
import Testing
import UniversalLinks
import WaypostSchema

/// Checks `docs/highlights.md` against the code.
@Suite struct HighlightsPageTests {
    private let page = Page("docs/highlights.md")

    @Test func gatesAreDocumentedInOrder() {
        let rows = page.rows.filter {
            $0.count == 3 && Int($0[0]) != nil && $0[1].hasPrefix("`") && !$0[1].contains(" ")
        }
        #expect(rows.map(\.[1]) == SurfacingGate.allCases.map { "`\($0.rawValue)`" })
        #expect(rows.map(\.[0]) == (1...SurfacingGate.allCases.count).map(String.init))
    }

    @Test func documentedLinksAreFound() {
        let start = page.rows.firstIndex { $0 == ["text", "links", "rule"] } ?? page.rows.endIndex
        let rows = page.rows[start...].dropFirst(2).prefix { $0.count == 3 && $0[0].hasPrefix("`") }
        #expect(rows.count > 15)
        for row in rows {
            let text = row[0].dropFirst().dropLast()
            let links = LinkDetector.links(in: String(text)).map { "`\($0.url)`" }
            #expect(row[1] == (links.isEmpty ? "none" : links.joined(separator: " ")), "\(text)")
        }
    }

    @Test(
        arguments: [
            CanonicalLink.Rewrite.secureScheme, .userInformation, .hostCase, .punycode, .port(443), .port(nil),
            .escaped,
            .unescaped, .escapeCase, .dotSegments, .emptyPath, .trailingSlashes, .trackingParameter("utm_source"),
            .emptyItems, .itemOrder, .emptyQuery, .fragmentDirective, .emptyFragment,
        ]
    )
    func everyRewriteIsDocumented(_ rewrite: CanonicalLink.Rewrite) {
        #expect(page.text.contains("`\(rewrite)`"))
    }

    @Test(arguments: HighlightsState.allCases.filter { $0 != .ready })
    func everyStateOfAnEmptyListIsDocumented(_ state: HighlightsState) {
        #expect(page.text.contains("`\(state.rawValue)`"))
    }

    @Test(arguments: HighlightError.Code.allCases)
    func everyLookupErrorIsDocumented(_ code: HighlightError.Code) {
        #expect(page.text.contains("`\(code.rawValue)`"))
    }
}
