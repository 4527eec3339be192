import Highlights
import Testing
import UniversalLinks
import WaypostSchema

/// The key of a URL, and a description of each rewrite that produces it.
@Suite struct CanonicalLinkTests {
    struct Case: CustomTestStringConvertible {
        var url: String
        var key: String
        var rewrites: [String]
        var testDescription: String { url.debugDescription }

        init(_ url: String, _ key: String, _ rewrites: String...) {
            (self.url, self.key, self.rewrites) = (url, key, rewrites)
        }
    }

    private func expect(_ example: Case) throws {
        let link = try CanonicalLink(LinkURL(example.url))
        #expect(link.key.rawValue == example.key)
        #expect(link.rewrites.map(\.description) == example.rewrites)
    }

    @Test(arguments: [
        "https://a.example/", "https://a.example/b/c.html", "https://a.example/b?c", "https://a.example/b?c=d&e=&f",
        "https://a.example/#b", "https://a.example/#/b/c", "https://a.example:8443/b", "https://a.example/A?B=C#D",
        "https://www.a.example/b", "https://a.example//b", "https://a.example/b%2Fc%20d%C3%A9", "https://[::1]/",
        "https://a.example/b;c=1,2!$&'()*+@:", "https://a.example/?a+b=c%26d", "https://a.example/.b/..c/d./e..",
        "https://a.example/?a=2&a=1&a=2", "https://a.example/?=b", "https://a.example:80/b", "https://a.example/...",
        "https://a.example/#b:~c:~",
    ])
    func significantPartsAreKept(_ url: String) throws {
        try expect(Case(url, url))
    }

    @Test(arguments: [
        Case("http://a.example/b", "https://a.example/b", "http written as https"),
        Case("HTTPS://a.example/b", "https://a.example/b"),
        Case("https://A.Example/B", "https://a.example/B", "host written in lower case"),
        Case("https://zürich.example/", "https://xn--zrich-kva.example/", "host written as Punycode"),
        Case("https://clown@a.example/", "https://a.example/", "user information dropped"),
        Case("https://Clown:Honk@a.example/", "https://a.example/", "user information dropped"),
        Case("https://@a.example/", "https://a.example/", "user information dropped"),
        Case("https://a.example:443/", "https://a.example/", "default port 443 dropped"),
        Case("https://a.example:/", "https://a.example/", "empty port dropped"),
        Case("http://a.example:80/", "https://a.example/", "http written as https", "default port 80 dropped"),
        Case("http://a.example:443/", "https://a.example/", "http written as https", "default port 443 dropped"),
        Case("http://a.example:8080/", "https://a.example:8080/", "http written as https"),
    ])
    func schemeAndAuthorityAreNormalized(_ example: Case) throws {
        try expect(example)
    }

    @Test(arguments: [
        Case(
            "https://a.example/é b",
            "https://a.example/%C3%A9%20b",
            "characters escaped that are not allowed in a URL"
        ),
        Case(
            "https://a.example/b?c|#[d]",
            "https://a.example/b?c%7C#%5Bd%5D",
            "characters escaped that are not allowed in a URL"
        ),
        Case(
            "https://a.example/b c?d#e",
            "https://a.example/b%20c?d#e",
            "characters escaped that are not allowed in a URL"
        ),
        Case("https://a.example/%c3%A9?%2f#%3f", "https://a.example/%C3%A9?%2F#%3F", "escapes written in upper case"),
        Case(
            "https://a.example/%62%2D%5f%7E?%41=%30#%7a",
            "https://a.example/b-_~?A=0#z",
            "unnecessary escapes decoded"
        ),
        Case("https://a.example/%2561", "https://a.example/%2561"),
    ])
    func escapesAreNormalized(_ example: Case) throws {
        try expect(example)
    }

    @Test(arguments: [
        Case("https://a.example", "https://a.example/", "empty path written as /"),
        Case("https://a.example?b", "https://a.example/?b", "empty path written as /"),
        Case("https://a.example/b/", "https://a.example/b", "trailing slashes dropped"),
        Case("https://a.example/b///?c", "https://a.example/b?c", "trailing slashes dropped"),
        Case("https://a.example//", "https://a.example/", "trailing slashes dropped"),
        Case("https://a.example/b/../c", "https://a.example/c", "dot segments removed"),
        Case("https://a.example/./b/./c", "https://a.example/b/c", "dot segments removed"),
        Case("https://a.example/../../b", "https://a.example/b", "dot segments removed"),
        Case("https://a.example/..", "https://a.example/", "dot segments removed"),
        Case("https://a.example/b/.", "https://a.example/b", "dot segments removed", "trailing slashes dropped"),
        Case("https://a.example/b/c/..", "https://a.example/b", "dot segments removed", "trailing slashes dropped"),
        Case("https://a.example/b//../c", "https://a.example/b/c", "dot segments removed"),
        Case(
            "https://a.example/b/%2e%2E/c",
            "https://a.example/c",
            "unnecessary escapes decoded",
            "dot segments removed"
        ),
    ])
    func pathIsNormalized(_ example: Case) throws {
        try expect(example)
    }

    @Test(arguments: [
        Case("https://a.example/?", "https://a.example/", "empty query dropped"),
        Case("https://a.example/?#b", "https://a.example/#b", "empty query dropped"),
        Case("https://a.example/?&b&&c&", "https://a.example/?b&c", "empty query items dropped"),
        Case("https://a.example/?&", "https://a.example/", "empty query items dropped"),
        Case("https://a.example/?c=1&b=2&a", "https://a.example/?a&b=2&c=1", "query sorted by name"),
        Case("https://a.example/?b=2&a=9&b=1&a=3", "https://a.example/?a=9&a=3&b=2&b=1", "query sorted by name"),
        Case("https://a.example/?ab=1&a=2", "https://a.example/?a=2&ab=1", "query sorted by name"),
        Case(
            "https://a.example/?b&%61",
            "https://a.example/?a&b",
            "unnecessary escapes decoded",
            "query sorted by name"
        ),
    ])
    func queryIsNormalized(_ example: Case) throws {
        try expect(example)
    }

    @Test(arguments: [
        Case("https://a.example/#", "https://a.example/", "empty fragment dropped"),
        Case("https://a.example/#:~:text=b", "https://a.example/", "fragment directive dropped"),
        Case("https://a.example/#b:~:text=c:~:d", "https://a.example/#b", "fragment directive dropped"),
        Case(
            "https://a.example/#b:%7E:text=c",
            "https://a.example/#b",
            "unnecessary escapes decoded",
            "fragment directive dropped"
        ),
    ])
    func fragmentIsKeptWithoutItsDirective(_ example: Case) throws {
        try expect(example)
    }

    @Test func rewritesAreListedInOrderOfTheParts() throws {
        try expect(
            Case(
                "http://clown@ZÜRICH.Example:80/%7eb/./c/?utm_source=d&b=%c3%a9&a=é&#:~:text=e",
                "https://xn--zrich-kva.example/~b/c?a=%C3%A9&b=%C3%A9",
                "http written as https",
                "user information dropped",
                "host written in lower case",
                "host written as Punycode",
                "default port 80 dropped",
                "characters escaped that are not allowed in a URL",
                "unnecessary escapes decoded",
                "dot segments removed",
                "trailing slashes dropped",
                "escapes written in upper case",
                "tracking parameter utm_source dropped",
                "empty query items dropped",
                "query sorted by name",
                "fragment directive dropped"
            )
        )
    }

    @Test func linkHasAHostAndEqualsTheSameLink() throws {
        let link = try CanonicalLink(LinkURL("https://ZÜRICH.example/a"))
        #expect(link.host == "xn--zrich-kva.example")
        #expect(try link == CanonicalLink(LinkURL("https://ZÜRICH.example/a")))
        #expect(try link != CanonicalLink(LinkURL("https://zürich.example/a")))
    }
}
