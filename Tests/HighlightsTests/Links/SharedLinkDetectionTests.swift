import Foundation
import Highlights
import Testing
import WaypostTestSupport

/// The reference cases next to the checkout, from two linkifiers: Waypost finds the same links, with a few differences.
@Suite(.enabled(if: Repository.sharedCases != nil, "there is no reference material next to the checkout"))
struct SharedLinkDetectionTests {
    /// A text in which Waypost finds other links, and the reason.
    struct Difference: CustomTestStringConvertible {
        var text: String
        var urls: [String]
        var reason: String
        var testDescription: String { text.debugDescription }
    }

    private static let differences = [
        Difference(
            text: "text http://no-tld",
            urls: ["http://no-tld"],
            reason:
                "a scheme makes it a link; the other linkifier finds http://inrgess2, which is the same case"
        ),
        Difference(
            text: "http://foo.com/blah_blah_\"doublequoted\"",
            urls: ["http://foo.com/blah_blah_"],
            reason: "a URL must not contain a quotation mark, so it belongs to the sentence"
        ),
        Difference(
            text: "I really like http://t.co/abcdefghijklmnopqrstuvwxyz012345678901234",
            urls: ["http://t.co/abcdefghijklmnopqrstuvwxyz012345678901234"],
            reason: "the maximum length of a path is a rule of one service"
        ),
        Difference(
            text: "I really like http://t.co/pbY2NfTZ's website",
            urls: ["http://t.co/pbY2NfTZ's"],
            reason: "the end of a path is a rule of one service; elsewhere paths end in words such as McDonald's"
        ),
        Difference(
            text: "Check this site out http://t.co/FNkPfmii- it's great",
            urls: ["http://t.co/FNkPfmii-"],
            reason: "the end of a path is a rule of one service; elsewhere identifiers end in hyphens"
        ),
    ]

    private static func cases() throws -> [LinkDetectionCase] {
        guard let folder = Repository.sharedCases else { return [] }
        return try LinkDetectionCase.all(in: folder.appending(path: "link-detection.jsonl"))
    }

    @Test func casesExist() throws {
        #expect(try Self.cases().count >= 79)
    }

    @Test(arguments: try cases().filter { example in !differences.contains { $0.text == example.text } })
    func detectorAgreesWithTheLinkifiers(_ example: LinkDetectionCase) {
        #expect(example.found == example.urls)
    }

    @Test(arguments: differences)
    func differenceStillExists(_ difference: Difference) throws {
        let example = try #require(try Self.cases().first { $0.text == difference.text })
        #expect(example.found == difference.urls, "\(difference.reason)")
        #expect(example.found != example.urls, "this is no longer a difference")
    }
}
