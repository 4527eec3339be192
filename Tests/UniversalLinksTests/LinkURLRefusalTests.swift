import Testing
import UniversalLinks

/// Texts that are not a valid link URL, and the reason for each refusal.
@Suite struct LinkURLRefusalTests {
    struct Case: CustomTestStringConvertible {
        var text: String
        var error: LinkURLError
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ error: LinkURLError) {
            (self.text, self.error) = (text, error)
        }
    }

    private static let noScheme = LinkURLError.notAURL("it has no scheme, such as https")
    private static let noHost = LinkURLError.notAURL("it has no host")
    private static let noSlashes = LinkURLError.notAURL("'//' does not follow its scheme")
    private static let badPort = LinkURLError.notAURL("its port is not a number up to 65535")
    private static let badHost = LinkURLError.notAURL("its host has a character that a host cannot have")
    private static let badName = LinkURLError.notAURL("its host has characters that a host cannot have")
    private static let control = LinkURLError.notAURL("it has a control character")

    @Test(arguments: [
        Case("", noScheme), Case(":", noScheme), Case("clowntown", noScheme), Case("clowntown.example/a", noScheme),
        Case("//clowntown.example/a", noScheme), Case("/a", noScheme), Case("?a", noScheme), Case("#a", noScheme),
        Case("://clowntown.example", noScheme), Case("1https://clowntown.example", noScheme),
        Case(" https://clowntown.example", noScheme), Case("ht tps://clowntown.example", noScheme),
        Case("héttps://clowntown.example", noScheme), Case("/https://clowntown.example", noScheme),
    ])
    func urlWithoutASchemeIsRefused(_ example: Case) {
        #expect(throws: example.error) { try LinkURL(example.text) }
    }

    @Test(arguments: [
        Case("ftp://clowntown.example", .notWeb(scheme: "ftp")),
        Case("clowntown://tents", .notWeb(scheme: "clowntown")),
        Case("MAILTO:clown@clowntown.example", .notWeb(scheme: "mailto")),
        Case("clowntown.example:443/a", .notWeb(scheme: "clowntown.example")),
        Case("file:///a", .notWeb(scheme: "file")), Case("httpss://clowntown.example", .notWeb(scheme: "httpss")),
        Case("a+b-c.1:", .notWeb(scheme: "a+b-c.1")),
    ])
    func nonWebSchemeIsRefused(_ example: Case) {
        #expect(throws: example.error) { try LinkURL(example.text) }
    }

    @Test(arguments: [
        Case("https:", noSlashes), Case("https:/", noSlashes), Case("https:clowntown.example", noSlashes),
        Case("https:/clowntown.example", noSlashes), Case("https:\\\\clowntown.example", noSlashes),
        Case("https:?ab", noSlashes), Case("http:/#//", noSlashes),
    ])
    func schemeWithoutSlashesIsRefused(_ example: Case) {
        #expect(throws: example.error) { try LinkURL(example.text) }
    }

    @Test(arguments: [
        Case("https://", noHost), Case("https:///a", noHost), Case("https://?a", noHost), Case("https://#a", noHost),
        Case("https://:443/a", noHost), Case("https://clown@", noHost), Case("https://clown:honk@:443/", noHost),
    ])
    func urlWithoutAHostIsRefused(_ example: Case) {
        #expect(throws: example.error) { try LinkURL(example.text) }
    }

    @Test(arguments: [
        Case("https://clowntown.example:65536/", badPort), Case("https://clowntown.example:x/", badPort),
        Case("https://clowntown.example:-1/", badPort), Case("https://clowntown.example:+1/", badPort),
        Case("https://clowntown.example:4 43/", badHost),
        Case("https://clowntown.example:99999999999999999999", badPort),
        Case("https://clowntown.example:٤٤٣/", badPort), Case("https://[::1]:x/", badPort),
    ])
    func invalidPortIsRefused(_ example: Case) {
        #expect(throws: example.error) { try LinkURL(example.text) }
    }

    @Test(arguments: [
        Case("https://clown town.example/", badHost), Case("https://clowntown.example\\@other.example/", badHost),
        Case("https://clowntown.example\\/a", badHost), Case("https://clown\"town.example", badHost),
        Case("https://<clowntown.example>", badHost), Case("https://clown^town.example", badHost),
        Case("https://clown|town.example", badHost), Case("https://{clowntown}.example", badHost),
        Case("https://clown`town.example", badHost), Case("https:// @clowntown.example", badHost),
        Case("https://\u{AD}/", badName), Case("https://é%zz.example/", badName),
        Case("https://clown\u{2024}town/", badName),
    ])
    func invalidCharacterInAHostIsRefused(_ example: Case) {
        #expect(throws: example.error) { try LinkURL(example.text) }
    }

    /// RFC 3986, section 3.2.2: only an IP address is in brackets, and a colon may only precede the port.
    @Test(arguments: [
        "https://[::1/a", "https://::1]/a", "https://[::1]x/a", "https://x[::1]/a", "https://[]/a",
        "https://clowntown:example:80/a", "https://clowntown%zz.example/a",
    ])
    func malformedHostIsRefused(_ text: String) {
        #expect(throws: LinkURLError.self) { try LinkURL(text) }
    }

    @Test(arguments: [
        Case("https://clowntown.example/a\nb", control), Case("https://clowntown.example/\t", control),
        Case("https://clowntown.example/\u{0}", control), Case("https://clowntown.example#\u{7F}", control),
        Case("https://clown\rtown.example/", control), Case("\u{1F}", control), Case("ftp://a\n", control),
    ])
    func controlCharacterIsRefusedAnywhere(_ example: Case) {
        #expect(throws: example.error) { try LinkURL(example.text) }
    }

    @Test(arguments: [16_385, 20_000, 1_000_000])
    func tooLongURLIsRefused(length: Int) {
        let start = "https://clowntown.example/"
        let text = start + String(repeating: "a", count: length - start.utf8.count)
        #expect(throws: LinkURLError.tooLong(bytes: length)) { try LinkURL(text) }
    }

    @Test func schemeIsFoundInATextOfAnyLength() {
        let text = "Clowntown:" + String(repeating: "a", count: 16_384)
        #expect(throws: LinkURLError.notWeb(scheme: "clowntown")) { try LinkURL(text) }
    }

    @Test func lengthIsCountedInBytes() {
        let text = "https://clowntown.example/" + String(repeating: "é", count: 8_192)
        #expect(throws: LinkURLError.tooLong(bytes: 16_410)) { try LinkURL(text) }
    }
}
