import Testing
import UniversalLinks

/// The parts of a URL, each as written.
@Suite struct LinkURLTests {
    struct Case: CustomTestStringConvertible {
        var text: String
        var host = "clowntown.example"
        var port: Int?
        var path = ""
        var query = ""
        var fragment = ""
        var testDescription: String { text.debugDescription }
    }

    private func expectParts(of example: Case) throws {
        let url = try LinkURL(example.text)
        #expect(url.host == example.host)
        #expect(url.port == example.port)
        #expect(url.path == example.path)
        #expect(url.query == example.query)
        #expect(url.fragment == example.fragment)
    }

    @Test(arguments: [
        Case(text: "https://clowntown.example"),
        Case(text: "http://clowntown.example"),
        Case(text: "hTTpS://clowntown.example"),
        Case(text: "https://clowntown.example/", path: "/"),
        Case(text: "https://clowntown.example/a/b", path: "/a/b"),
        Case(text: "https://clowntown.example//a///b//", path: "//a///b//"),
        Case(text: "https://clowntown.example/a/../b/./c", path: "/a/../b/./c"),
        Case(text: "https://clowntown.example/a?b#c", path: "/a", query: "b", fragment: "c"),
        Case(text: "https://clowntown.example?b", query: "b"),
        Case(text: "https://clowntown.example?"),
        Case(text: "https://clowntown.example#c", fragment: "c"),
        Case(text: "https://clowntown.example/#", path: "/"),
        Case(text: "https://clowntown.example/?#", path: "/"),
        Case(text: "https://clowntown.example#a?b", fragment: "a?b"),
        Case(text: "https://clowntown.example?a?b/c#d/e?f", query: "a?b/c", fragment: "d/e?f"),
        Case(text: "https://clowntown.example/a:b@c", path: "/a:b@c"),
        Case(text: "https://clowntown.example?q=https://other.example/", query: "q=https://other.example/"),
        Case(text: "https://clowntown.example/A;b=1,2!$&'()*+", path: "/A;b=1,2!$&'()*+"),
        Case(text: "https://clowntown.example?a=1&a=2&&=&b", query: "a=1&a=2&&=&b"),
    ])
    func partsAreKeptAsWritten(_ example: Case) throws {
        try expectParts(of: example)
    }

    @Test(arguments: [
        Case(text: "https://clowntown.example/%C3%A9", path: "/%C3%A9"),
        Case(text: "https://clowntown.example/%c3%a9", path: "/%c3%a9"),
        Case(text: "https://clowntown.example/a%2Fb", path: "/a%2Fb"),
        Case(text: "https://clowntown.example/%41?%42#%43", path: "/%41", query: "%42", fragment: "%43"),
        Case(text: "https://clowntown.example/%FF%00", path: "/%FF%00"),
        Case(text: "https://clowntown.example/%25%32%35", path: "/%25%32%35"),
    ])
    func escapesAreKept(_ example: Case) throws {
        try expectParts(of: example)
    }

    @Test(arguments: [
        Case(text: "https://clowntown.example/a b", path: "/a%20b"),
        Case(
            text: "https://clowntown.example/é?é#é",
            path: "/%C3%A9",
            query: "%C3%A9",
            fragment: "%C3%A9"
        ),
        Case(text: "https://clowntown.example/\u{1F921}", path: "/%F0%9F%A4%A1"),
        Case(text: "https://clowntown.example/\"<>[\\]^`{|}", path: "/%22%3C%3E%5B%5C%5D%5E%60%7B%7C%7D"),
        Case(text: "https://clowntown.example?\"<>[\\]^`{|}", query: "%22%3C%3E%5B%5C%5D%5E%60%7B%7C%7D"),
        Case(text: "https://clowntown.example#\"<>[\\]^`{|}", fragment: "%22%3C%3E%5B%5C%5D%5E%60%7B%7C%7D"),
        Case(text: "https://clowntown.example#a#b", fragment: "a%23b"),
        Case(text: "https://clowntown.example/%", path: "/%25"),
        Case(text: "https://clowntown.example/%4", path: "/%254"),
        Case(text: "https://clowntown.example/%zz", path: "/%25zz"),
        Case(text: "https://clowntown.example/%4?1", path: "/%254", query: "1"),
        Case(text: "https://clowntown.example?%#41", query: "%25", fragment: "41"),
        Case(text: "https://clowntown.example/%%41", path: "/%25%41"),
    ])
    func invalidCharactersAreEscaped(_ example: Case) throws {
        try expectParts(of: example)
    }

    @Test(arguments: [
        Case(text: "https://clowntown.example:8443/a", port: 8_443, path: "/a"),
        Case(text: "https://clowntown.example:0", port: 0),
        Case(text: "https://clowntown.example:65535", port: 65_535),
        Case(text: "https://clowntown.example:0443?a", port: 443, query: "a"),
        Case(text: "https://clowntown.example:/a", path: "/a"),
        Case(text: "https://clown@clowntown.example/a", path: "/a"),
        Case(text: "https://clown:honk@clowntown.example:80#a", port: 80, fragment: "a"),
        Case(text: "https://@clowntown.example"),
        Case(text: "https://clown@town@clowntown.example"),
        Case(text: "https://other.example:80@clowntown.example"),
        Case(text: "https://CLOWNTOWN.Example/A", path: "/A"),
        Case(text: "https://[2001:DB8::1]/a", host: "[2001:db8::1]", path: "/a"),
        Case(text: "https://[::1]:8443/a", host: "[::1]", port: 8_443, path: "/a"),
        Case(text: "https://clown@[::1]", host: "[::1]"),
        Case(text: "https://192.0.2.1/a", host: "192.0.2.1", path: "/a"),
        Case(text: "https://clown_town-1.example", host: "clown_town-1.example"),
    ])
    func hostExcludesTheUserAndThePort(_ example: Case) throws {
        try expectParts(of: example)
    }

    @Test(arguments: [
        Case(text: "https://zürich.example/é", host: "xn--zrich-kva.example", path: "/%C3%A9"),
        Case(text: "https://ZÜRICH.Example", host: "xn--zrich-kva.example"),
        Case(text: "https://zu\u{308}rich.example", host: "xn--zrich-kva.example"),
        Case(text: "https://XN--ZRICH-KVA.example", host: "xn--zrich-kva.example"),
        Case(text: "https://clown@zürich.example:80", host: "xn--zrich-kva.example", port: 80),
        Case(text: "https://例え.example", host: "xn--r8jz45g.example"),
        Case(text: "https://www.пример.example", host: "www.xn--e1afmkfd.example"),
    ])
    func nonASCIIHostIsPunycode(_ example: Case) throws {
        try expectParts(of: example)
    }

    @Test func urlOfMaximumLengthIsParsed() throws {
        #expect(LinkURL.maximumLength == 16_384)
        let start = "https://clowntown.example/"
        let rest = String(repeating: "a", count: LinkURL.maximumLength - start.utf8.count)
        #expect(try LinkURL(start + rest).path == "/" + rest)
    }

    @Test func escapedURLMayExceedTheMaximumLength() throws {
        let start = "https://clowntown.example/"
        let rest = String(repeating: " ", count: LinkURL.maximumLength - start.utf8.count)
        #expect(try LinkURL(start + rest).path == "/" + String(repeating: "%20", count: rest.count))
    }
}
