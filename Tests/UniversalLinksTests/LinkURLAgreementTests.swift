import Foundation
import Testing
import UniversalLinks
import WaypostTestSupport

/// Random URLs, parsed as Foundation parses them.
@Suite struct LinkURLAgreementTests {
    private static let rounds = 1_500

    private static func text(of pieces: [String], atMost count: Int, using generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...count, using: &generator))
            .map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    /// In a part with characters to escape, Foundation escapes percent signs too.
    ///
    /// The parser under test leaves existing escapes alone, so no URL here has both.
    @Test(
        arguments: [1, 2, 3] as [UInt64],
        [
            ["%41", "%2F", "%e9", "%C3%A9", "%00", "%25"],
            [
                "é", "漢", "\u{1F921}", "e\u{301}", " ", "\"", "<", ">", "[", "]", "\\", "^", "`", "{", "|", "}", "%z",
                "#",
            ],
        ]
    )
    func partsAgreeWithFoundation(seed: UInt64, special: [String]) throws {
        let plain = [
            "/", "/", "?", "&", "=", "a", "B", "7", "+", ";", ":", "@", "$(x)", "*", "!", "'", ",", "~", "-", "_",
            ".",
            "..",
        ]
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let start = ["/", "?", "#"].randomElement(using: &generator) ?? ""
            let rest = Self.text(of: plain + special, atMost: 12, using: &generator)
            let text = "https://clowntown.example" + start + rest
            let platform = try #require(URL(string: text), "\(text)")
            let url = try LinkURL(text)
            #expect(url.path == platform.path(percentEncoded: true), "\(text)")
            #expect(url.query == platform.query(percentEncoded: true) ?? "", "\(text)")
            #expect(url.fragment == platform.fragment(percentEncoded: true) ?? "", "\(text)")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func hostAndPortAgreeWithFoundation(seed: UInt64) throws {
        let pieces = [
            "a", "B", "7", ".", "-", "_", "clowntown", ".example", ":", ":80", "@", "[::1]", "%41", "é", " ",
            "\\",
            "^",
        ]
        var generator = SeededGenerator(seed: seed)
        var readCount = 0
        var refused: [String] = []
        for _ in 0..<Self.rounds {
            let text = "https://" + Self.text(of: pieces, atMost: 6, using: &generator) + "/a"
            guard let url = try? LinkURL(text) else { continue }
            readCount += 1
            guard let platform = URL(string: text) else {
                refused.append(text)
                continue
            }
            #expect(url.port == platform.port, "\(text)")
            // Foundation escapes a non-ASCII host; the parser under test uses Punycode.
            guard url.host.contains("xn--") == false else { continue }
            let host = url.host.trimmingCharacters(in: ["[", "]"])
            #expect(host == platform.host(percentEncoded: true)?.lowercased(), "\(text)")
        }
        #expect(readCount > Self.rounds / 10)
        #expect(refused.isEmpty)
    }
}
