import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The reference cases beside the checkout: what the real engine answered is answered here.
@Suite(.enabled(if: Repository.sharedCases != nil))
struct SharedLinkCaseTests {
    private static let cases: [LinkCase] = {
        guard let folder = Repository.sharedCases else { return [] }
        let lines = (try? Repository.lines(of: folder.appending(path: "links.jsonl"))) ?? []
        return lines.compactMap { try? JSONDecoder().decode(LinkCase.self, from: Data($0.utf8)) }
    }()

    @Test func thereAreCases() {
        #expect(Self.cases.count >= 80)
    }

    @Test(arguments: cases)
    func caseIsAnsweredAsObserved(_ example: LinkCase) throws {
        #expect(try example.answer() == example.expect, "\(example)")
    }
}
