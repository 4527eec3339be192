import Highlights
import Testing
import UniversalLinks

/// The end of a link: brackets, punctuation, and text that follows without a space.
@Suite struct LinkEndTests {
    typealias Case = LinkDetectionCase

    private static let start = "https://a.example"

    /// Returns the part of the first link after the host.
    private func tail(of text: String) -> String? {
        LinkDetector.links(in: text).first.map { String($0.url.dropFirst(Self.start.count)) }
    }

    @Test(arguments: [
        "/", "/a", "/a/b/", "?a", "?a=b&c=d;e", "#", "#a", "/#a?b", "/a,b;c", "/a..b", "/a'b", "/%ff-x", "/a|b^c",
        "/@a", "/a:b",
        "/$a", "/-", "/a-", "/a_", "/a+b", "/é", "/Hatfield–McCoy", "/نص", "/‍ള്‍.html", "/a=", "/a&", "/'a'",
        "/\u{200C}a",
    ])
    func tailIsFoundCompletely(_ tail: String) {
        #expect(self.tail(of: Self.start + tail) == tail)
        #expect(self.tail(of: "\(Self.start)\(tail) b") == tail)
    }

    @Test(arguments: [
        " ", "\n", "\t", "\u{0}", "\u{7F}", "<", ">", "\"", "`", "\\", "\u{85}", "\u{A0}", "\u{AD}", "«", "»",
        "\u{200B}", "\u{200E}",
        "\u{200F}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{2028}", "\u{3000}", "\u{FEFF}", "\u{FFFC}", "‘",
        "’", "“",
        "”", "„", "‹", "…", "—", "。", "、", "，", "！", "？", "：", "；", "（", "）", "「", "」", "『", "』", "【", "】", "《", "》",
        "〈", "〉",
        "〔", "｜", "．", "｡", "､", "｣", "［", "｛", "،", "؟", "۔", "।", "။", "។", "።", "։", "\u{180E}", "\u{1680}",
    ])
    func characterEndsEveryURL(_ character: String) {
        #expect(tail(of: "\(Self.start)/a\(character)b") == "/a")
        #expect(tail(of: "\(Self.start)/\(character)b") == "/")
        #expect(tail(of: "\(Self.start)\(character)/b")?.isEmpty == true)
    }

    @Test(arguments: [
        "?", "!", ".", ",", ":", ";", "*", "~", "'", "...", "?!", ".,;:", "–", "**", "&gt;", "&#39;", ".&amp;.",
    ])
    func punctuationAtTheEndBelongsToTheSentence(_ signs: String) {
        #expect(tail(of: "\(Self.start)/a\(signs)") == "/a")
        #expect(tail(of: "\(Self.start)/a\(signs) b") == "/a")
        #expect(tail(of: "\(Self.start)/a\(signs)b") == "/a\(signs)b")
        #expect(tail(of: "\(Self.start)#\(signs)") == "#")
    }

    @Test(arguments: [
        ("/a?", "/a"), ("?!?", ""), ("/a/.", "/a/"), ("/a;b;", "/a;b"), ("/a&", "/a&"), ("/a&;", "/a&"),
        ("/a&b;c;", "/a&b;c"),
        ("/it's'", "/it's'"), ("/it's", "/it's"), ("/'a''", "/'a'"), ("/a-.", "/a-"), ("/a_.", "/a_"), ("/a“”", "/a"),
        ("/a–b–", "/a–b"), ("/a\u{2012}", "/a\u{2012}"),
    ])
    func punctuationInsideALinkIsKept(_ written: String, _ found: String) {
        #expect(tail(of: Self.start + written) == found)
    }

    @Test(arguments: [
        Case("_https://a.example/b_", "https://a.example/b"), Case("__https://a.example/b__", "https://a.example/b"),
        Case("_https://a.example/b__", "https://a.example/b_"), Case("https://a.example/b__", "https://a.example/b__"),
        Case("**https://a.example/b**", "https://a.example/b"), Case("~~https://a.example/b~~", "https://a.example/b"),
        Case("'https://a.example/b'", "https://a.example/b"), Case("`https://a.example/b`", "https://a.example/b"),
    ])
    func emphasisDoesNotBelongToTheLink(_ example: Case) {
        #expect(example.found == example.urls)
    }

    @Test(arguments: [
        ("/Primer_(film)", "/Primer_(film)"), ("/a)", "/a"), ("/a).", "/a"), ("/a.)", "/a"), ("/(a)b)", "/(a)b"),
        ("/a)b", "/a"),
        ("/a(b", "/a"), ("/a(", "/a"), ("/a((b)", "/a"), ("/a(b(c)d)e", "/a(b(c)d)e"), ("/a([b)]", "/a"),
        ("/[a]{b}", "/[a]{b}"),
        ("/a]", "/a"), ("/a}", "/a"), ("?a[]=1", "?a[]=1"), ("?a=(b))", "?a=(b)"),
        ("/(v=VS.100).aspx", "/(v=VS.100).aspx"),
        ("/a.(b", "/a"), (")", ""), ("(a)", ""), ("/{a", "/"),
    ])
    func bracketBelongsToTheLinkIfItsPartnerDoes(_ written: String, _ found: String) {
        #expect(tail(of: Self.start + written) == found)
    }

    @Test(arguments: [
        Case("[text](https://a.example/b)", "https://a.example/b"),
        Case("(see https://a.example/b)", "https://a.example/b"),
        Case("[a](https://a.example/b_(c))[d](https://d.example)", "https://a.example/b_(c)", "https://d.example"),
        Case("<https://a.example/b>.", "https://a.example/b"),
        Case("https://a.example/b(https://c.example)", "https://a.example/b(https://c.example)"),
        Case("https://a.example/b(https://c.example", "https://a.example/b", "https://c.example"),
    ])
    func linkInBracketsIsFound(_ example: Case) {
        #expect(example.found == example.urls)
    }

    @Test(arguments: [
        ("/a見て", "/a"), ("/a.html中国語", "/a.html"), ("/a에서", "/a"), ("/aดู", "/a"), ("/a🎪", "/a"),
        ("/%E3%81%82を", "/%E3%81%82"),
        ("/wiki/日本", "/wiki/日本"), ("/wiki/日本#歴史", "/wiki/日本#歴史"), ("/日本abcです", "/日本abcです"), ("/a-日本", "/a-日本"),
        ("?q=日本", "?q=日本"), ("/🎪", "/🎪"), ("/café見て", "/café"), ("/é見", "/é"), ("/日本é語", "/日本é語"),
        ("/wiki/日本。", "/wiki/日本"),
    ])
    func textInAScriptWithoutSpacesEndsAWordInAnotherScript(_ written: String, _ found: String) {
        #expect(tail(of: Self.start + written) == found)
    }

    @Test(arguments: [(63, true), (64, false), (1_000, false)])
    func bracketsBelongToTheLinkUpToADepth(_ depth: Int, _ isWhole: Bool) {
        let brackets = String(repeating: "(", count: depth) + String(repeating: ")", count: depth)
        #expect(tail(of: "\(Self.start)/a\(brackets)") == (isWhole ? "/a" + brackets : "/a"))
    }

    @Test func urlThatIsTooLongIsNotALink() {
        for start in ["https://a.example/", "www.a.example/"] {
            let missing = start.hasPrefix("www") ? 8 : 0
            let text = start + String(repeating: "a", count: LinkURL.maximumLength - missing - start.utf8.count)
            #expect(LinkDetector.links(in: text + "... www.b").map(\.url.utf8.count) == [LinkURL.maximumLength, 13])
            #expect(LinkDetector.links(in: text + "a www.b").map(\.url) == ["https://www.b"])
        }
    }
}
