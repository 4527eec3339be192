import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The reference cases beside the checkout: each has the outcome that the real engine gave.
@Suite(.enabled(if: Repository.sharedCases != nil))
struct SharedLinkCaseTests {
    private static func cases() throws -> [LinkCase] {
        guard let folder = Repository.sharedCases else { return [] }
        return try LinkCase.all(in: folder.appending(path: "links.jsonl"))
    }

    @Test func thereAreCases() throws {
        #expect(try Self.cases().count >= 80)
    }

    @Test(arguments: try cases())
    func caseHasTheObservedOutcome(_ example: LinkCase) throws {
        #expect(try example.decision().outcome == example.expect)
    }
}
