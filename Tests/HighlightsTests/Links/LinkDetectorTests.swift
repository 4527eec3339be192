import Highlights
import Testing

/// The start of a link, and texts that are not links.
@Suite struct LinkDetectorTests {
    typealias Case = LinkDetectionCase

    @Test func linkHasItsRuleAndPlace() {
        let links = LinkDetector.links(in: "é HTTPS://a.example/b, www.c.example/d and http://e.example")
        #expect(
            links == [
                DetectedLink(url: "HTTPS://a.example/b", rule: .scheme, location: 2, length: 19),
                DetectedLink(url: "https://www.c.example/d", rule: .www, location: 23, length: 15),
                DetectedLink(url: "http://e.example", rule: .scheme, location: 43, length: 16),
            ]
        )
    }

    @Test(arguments: [
        Case("http://a.example", "http://a.example"), Case("hTTp://a.example", "hTTp://a.example"),
        Case("HTTPS://A.EXAMPLE/B", "HTTPS://A.EXAMPLE/B"), Case("https://a.example", "https://a.example"),
        Case("https://a.example https://a.example", "https://a.example", "https://a.example"),
        Case("https://a.example\nhttps://b.example", "https://a.example", "https://b.example"),
    ])
    func urlWithItsSchemeIsALink(_ example: Case) {
        #expect(example.found == example.urls)
    }

    @Test(arguments: [
        Case("www.a.example", "https://www.a.example"), Case("WwW.a.example/b", "https://WwW.a.example/b"),
        Case("www.example", "https://www.example"), Case("www.a.example:8080/b", "https://www.a.example:8080/b"),
        Case("(www.a.example)", "https://www.a.example"), Case("see:www.a.example.", "https://www.a.example"),
        Case("見てwww.a.example/b", "https://www.a.example/b"), Case("_www.a.example_", "https://www.a.example"),
        Case("www.a.example@b.example", "https://www.a.example"), Case("http:www.a.example", "https://www.a.example"),
    ])
    func hostThatStartsWithWWWIsALink(_ example: Case) {
        #expect(example.found == example.urls)
    }

    @Test(arguments: [
        "", "a.example", "a.example/b", "//a.example", "ftp://a.example", "mailto:clown@a.example", "https:a.example",
        "https:/a.example", "https//a.example", "httpss://a.example", "ttps://a.example", "https://", "http:///a",
        "www", "www.", "www..a", "www.-a.example", "www. a.example", "ww.a.example", "wwww.a.example", "www.。",
        "http", "https:", "h", "w",
    ])
    func nothingElseIsALink(_ text: String) {
        #expect(LinkDetector.links(in: text).isEmpty)
    }

    @Test(arguments: [
        "xhttp://a.example", "7http://a.example", "éhttp://a.example", "яhttps://a.example", "e\u{301}http://a.example",
        "xwww.a.example", "éwww.a.example", "clown@www.a.example", "ftp://www.a.example", "b.www.a.example",
        "b-www.a.example", "\\www.a.example",
    ])
    func linkDoesNotStartInAWordOrAnAddress(_ text: String) {
        #expect(LinkDetector.links(in: text).isEmpty)
    }

    @Test(arguments: [
        "text:", "clown@", ">>", "(", "[a](", "\"", "“", "«", "。", "見て", "보기", "ดู", "🎪", "_", "*", "-", "/", "=", "–",
        "、",
        "\u{A0}", "\u{200B}", "\u{200F}",
    ])
    func linkStartsAfterAnyOtherCharacter(_ before: String) {
        #expect(LinkDetector.links(in: before + "https://a.example/b").map(\.url) == ["https://a.example/b"])
    }

    @Test(arguments: [
        Case("https://https://a.example/b", "https://a.example/b"),
        Case("http://http://http://a.example", "http://a.example"),
        Case("http://www.a.example", "http://www.a.example"),
        Case("https://web.a.example/2019/https://b.example/", "https://web.a.example/2019/https://b.example/"),
    ])
    func repeatedSchemeCountsOnce(_ example: Case) {
        #expect(example.found == example.urls)
    }

    @Test func numberOfLinksIsBounded() {
        #expect(LinkDetector.maximumCount == 100)
        let text = (0..<150).map { "https://a.example/\($0)" }.joined(separator: " ")
        #expect(LinkDetector.links(in: text).map(\.url) == (0..<100).map { "https://a.example/\($0)" })
    }
}
