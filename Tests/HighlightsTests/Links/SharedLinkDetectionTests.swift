import Foundation
import Highlights
import Testing
import WaypostTestSupport

/// The reference cases beside the checkout, which are of two linkifiers: what they find is found here, but for a few.
@Suite(.enabled(if: Repository.sharedCases != nil, "the checkout has no reference material beside it"))
struct SharedLinkDetectionTests {
    /// A text of which something else is found here, and why.
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
                "who writes the scheme means a link; the other linkifier finds http://inrgess2, which is no different"
        ),
        Difference(
            text: "http://foo.com/blah_blah_\"doublequoted\"",
            urls: ["http://foo.com/blah_blah_"],
            reason: "a quotation mark may not stand in a URL, and where it does stand it is the sentence's"
        ),
        Difference(
            text: "I really like http://t.co/abcdefghijklmnopqrstuvwxyz012345678901234",
            urls: ["http://t.co/abcdefghijklmnopqrstuvwxyz012345678901234"],
            reason: "how long a path may be is a rule of one service"
        ),
        Difference(
            text: "I really like http://t.co/pbY2NfTZ's website",
            urls: ["http://t.co/pbY2NfTZ's"],
            reason: "what a path may end in is a rule of one service; elsewhere it ends in McDonald's"
        ),
        Difference(
            text: "Check this site out http://t.co/FNkPfmii- it's great",
            urls: ["http://t.co/FNkPfmii-"],
            reason: "what a path may end in is a rule of one service; elsewhere identifiers end in hyphens"
        ),
    ]

    private static func cases() throws -> [LinkDetectionCase] {
        guard let folder = Repository.sharedCases else { return [] }
        return try LinkDetectionCase.all(in: folder.appending(path: "link-detection.jsonl"))
    }

    @Test func thereAreCases() throws {
        #expect(try Self.cases().count >= 79)
    }

    @Test(arguments: try cases().filter { example in !differences.contains { $0.text == example.text } })
    func caseIsAnsweredAsTheLinkifierDoes(_ example: LinkDetectionCase) {
        #expect(example.found == example.urls)
    }

    @Test(arguments: differences)
    func differenceIsOneStillAndForItsReason(_ difference: Difference) throws {
        let example = try #require(try Self.cases().first { $0.text == difference.text })
        #expect(example.found == difference.urls, "\(difference.reason)")
        #expect(example.found != example.urls, "it is no difference any more")
    }
}
