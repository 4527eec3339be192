import Highlights
import Testing
import UniversalLinks
import WaypostSchema

/// Texts that try to slow down a detector: the time for each must be linear in its length.
@Suite struct HostileTextTests {
    @Test(arguments: [
        "(", "([{", "http://", "www.", "h", "w", "ww.", "http://a/(", "http://a/b(", "https://", "'", "_", ".", "-",
        "–", "&a;", "&",
        ";", "&amp", "見www.", "見www.a.", "見www.-", "http://é-", "http://xn--é ", "http://a@", "http://a@b@", "a:",
        "http://[::",
        "http://a.com見", "🤡", "é", "/..", "%41", "?", "#",
    ])
    func longRepetitionIsRead(_ piece: String) {
        let text = String(repeating: piece, count: 100_000 / piece.utf8.count)
        for start in ["", "http://", "http://a.example/b"] {
            let links = LinkDetector.links(in: start + text)
            #expect(links.count <= LinkDetector.maximumCount)
            #expect(links.allSatisfy { $0.url.utf8.count <= LinkURL.maximumLength })
        }
    }

    @Test func linkAfterALongTextIsFound() {
        let text = String(repeating: "http://-見www.(", count: 6_000)
        #expect(LinkDetector.links(in: text + " https://a.example").map(\.url) == ["https://a.example"])
    }

    @Test(arguments: [
        "/..", "/.", "/a", "%2e", "/%2e%2e", "?", "&", "&a", "&b&a", "&utm_a", "#", ":~:", "é", "%41", "/",
    ])
    func longestURLHasAKey(_ piece: String) throws {
        for start in ["https://a.example/", "https://a.example/?", "https://a.example/#"] {
            let count = (LinkURL.maximumLength - start.utf8.count) / piece.utf8.count
            let link = try CanonicalLink(LinkURL(start + String(repeating: piece, count: count)))
            #expect(link.key.rawValue.hasPrefix("https://a.example/"))
            #expect(link.rewrites.count < 20)
        }
    }
}
