import Highlights
import Testing

/// The host of a link, and its user information and port.
@Suite struct LinkHostTests {
    typealias Case = LinkDetectionCase

    private static let label63 = String(repeating: "a", count: 63)
    private static let host253 = ([String](repeating: label63, count: 3) + [String(repeating: "b", count: 61)])
        .joined(separator: ".")

    @Test(arguments: [
        "http://localhost", "http://localhost:8000/a", "http://999", "http://192.0.2.1/a", "http://a-b.c-d.example",
        "http://a--b.example", "http://a_b.example", "http://xn--zrich-kva.example", "http://zürich.example/é",
        "http://ああ.com", "http://exampleこれは日本語です.com/a", "http://www.exampleこれ.co.jp/a", "http://例え.中国",
        "http://пример.рф/путь", "http://i❤️.ws/a", "http://jp日本.example/a",
        "http://" + String(repeating: "あ", count: 25) + ".com/", "http://example.vermögensberater/a",
        "http://l·l.cat",
        "http://[2001:db8::1]/a", "http://[::1]:8080", "http://\(label63).example/", "http://\(host253)/",
    ])
    func hostIsFoundCompletely(_ url: String) {
        #expect(LinkDetector.links(in: url).map(\.url) == [url])
        #expect(LinkDetector.links(in: "(\(url))").map(\.url) == [url])
    }

    @Test(arguments: [
        "http://-a.example", "http://a-.example", "http://b.-a.example", "http://b.a-.example", "http://a.example-/b",
        "http://_a.example", "http://b._a.example", "http://a_.example", "http://.a.example", "http://.", "http://..",
        "http://-", "http://##", "http://?", "http://xn--はじめよう.com", "http://a\(label63).example",
        "http://b.\(host253)/", "http://a.example-:80/",
        "http://" + String(repeating: "あ", count: 60) + ".com/",
        "http://" + String(repeating: "あ.", count: 40) + "com/", "http://[::1", "http://[1.2]/", "http://[]",
        "http://[::1g]", "http://[::\(String(repeating: "1", count: 50))]",
        "http://" + String(repeating: "あ.", count: 600),
    ])
    func invalidHostMakesNoLink(_ text: String) {
        #expect(LinkDetector.links(in: text).isEmpty)
    }

    @Test(arguments: [
        Case("http://a.example.", "http://a.example"), Case("http://a.example, b", "http://a.example"),
        Case("http://a.example...b", "http://a.example"), Case("http://a.example- b", "http://a.example"),
        Case("http://a.example_", "http://a.example"), Case("http://a.example: b", "http://a.example"),
        Case("http://a.example!!!", "http://a.example"), Case("http://a.example's", "http://a.example"),
        Case("http://a.example*", "http://a.example"), Case("http://a.example;b", "http://a.example"),
        Case("http://a.example→b", "http://a.example"), Case("http://a.example\\b", "http://a.example"),
        Case("http://a.example|b", "http://a.example"), Case("http://a.example&b", "http://a.example"),
    ])
    func hostEndsBeforeAnInvalidCharacter(_ example: Case) {
        #expect(example.found == example.urls)
    }

    @Test(arguments: [
        Case("http://example.comだよね", "http://example.com"), Case("http://example.comだよね/a", "http://example.com"),
        Case("http://example.comだよね.comtest/a", "http://example.com"), Case("http://localhostです", "http://localhost"),
        Case("www.example.shop的网站", "https://www.example.shop"), Case("http://例え.jpの", "http://例え.jp"),
        Case("http://a.example에서", "http://a.example"), Case("http://a.exampleดู", "http://a.example"),
        Case("http://a.example🎪", "http://a.example"), Case("http://a.example.町.です", "http://a.example.町.です"),
        Case("http://example.JP見て.今日", "http://example.JP"), Case("http://example.c1見.今日", "http://example.c1見.今日"),
    ])
    func textInAScriptWithoutSpacesEndsACompleteHost(_ example: Case) {
        #expect(example.found == example.urls)
    }

    @Test(arguments: [
        Case("http://clown@a.example/b", "http://clown@a.example/b"),
        Case("http://clown:honk@a.example:8080", "http://clown:honk@a.example:8080"),
        Case("http://clown%40b:!$&+;=-._~@a.example", "http://clown%40b:!$&+;=-._~@a.example"),
        Case("http://clown@", "http://clown"), Case("http://clown@-a.example", "http://clown"),
        Case("http://b.example,clown@a.example", "http://b.example"), Case("http://@a.example"),
        Case("http://b@a@c", "http://b@a"),
    ])
    func userInformationIsPartOfTheLink(_ example: Case) {
        #expect(example.found == example.urls)
    }

    @Test(arguments: [
        Case("http://a.example:1", "http://a.example:1"), Case("http://a.example:65535/b", "http://a.example:65535/b"),
        Case("http://a.example:8080:", "http://a.example:8080"), Case("http://a.example:/b", "http://a.example"),
        Case("http://a.example:x", "http://a.example"), Case("http://a.example:65536/b"),
        Case("http://a.example:99999999999999999999999/b"), Case("http://a.example:80x", "http://a.example:80"),
    ])
    func portIsANumberUpTo65535(_ example: Case) {
        #expect(example.found == example.urls)
    }
}
