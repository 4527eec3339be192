import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The reference cases beside the checkout: what the real engine answered is answered here.
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
    func caseIsAnsweredAsObserved(_ example: LinkCase) throws {
        #expect(try example.decision().outcome == example.expect)
    }
}
