import Foundation
import Highlights
import Testing
import WaypostTestSupport

/// Waypost's own texts, as they appear in messages, in several languages.
@Suite struct LinkDetectionVectorTests {
    private static func cases() throws -> [LinkDetectionCase] {
        try LinkDetectionCase.all(in: Repository.vectors.appending(path: "links-in-text/detection.jsonl"))
    }

    @Test func casesExistAndEachHasANote() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 40)
        #expect(cases.allSatisfy { $0.note?.isEmpty == false })
    }

    @Test(arguments: try cases())
    func expectedLinksAreFound(_ example: LinkDetectionCase) {
        #expect(example.found == example.urls, "\(example.note ?? "")")
    }
}
