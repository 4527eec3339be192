import Foundation
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct DocumentationTests {
    @Test func tableOfStatesHasEveryStateAndNoOther() throws {
        let page = try Repository.lines(of: Repository.root.appending(path: "docs/gateway.md"))
        let rows = page.drop { !$0.hasPrefix("| state |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        #expect(
            rows.map { $0.split(separator: "|").prefix(2).joined() }
                == DeliveryState.allCases.map { " `\($0.rawValue)`  \($0.isFinal ? "yes" : "no") " }
        )
    }

    @Test func tableOfTestTokensHasEveryPrefixAndNoOther() throws {
        let page = try Repository.lines(of: Repository.root.appending(path: "docs/provider-api.md"))
        let rows = page.filter { $0.hasPrefix("| `7e57") }
        let expected = TestToken.reasons.map { digits, reason in
            let time = reason.status == 410 ? ", with the current time" : ""
            return "| `7e57\(digits)…` | \(reason.status) `\(reason)`\(time) |"
        }
        #expect(rows == expected)
    }
}
