import Highlights
import Testing
import UniversalLinks
import WaypostTestSupport

/// Invariants of the links of every text.
@Suite struct LinkDetectionPropertyTests {
    private static let seeds = Trials.seeds(4, from: 1)
    private static let rounds = 700
    private static let pieces = [
        "http://", "https://", "HTTP://", "www.", "a", "b.example", ".com", ".", "-", "_", "@", ":", ":80", "/", "/a",
        "?", "#",
        "&", ";", "&gt;", "(", ")", "[", "]", "{", "}", "'", "\"", "<", ">", "*", "~", "!", ",", "é", "見て", "日本", "。",
        "、", "\u{200B}",
        "\u{2067}", "\u{A0}", "–", "—", "’", "🤡", "\u{301}", "\u{200D}", "에서", "ดู", "[::1]", "xn--", "%41", "%", "\\",
        "`", "|", "7",
        "\u{FE0F}", "．", "ss", "\u{0}", "\u{AD}",
    ]

    private static func text(using generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...16, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    /// Expects that the links of a text satisfy the invariants.
    private func expectSoundLinks(in text: String) {
        let units = Array(text.utf16)
        var end = 0
        for link in LinkDetector.links(in: text) {
            let written = link.rule == .www ? String(link.url.dropFirst("https://".count)) : link.url
            #expect(link.rule == .scheme || link.url.hasPrefix("https://"), "\(text.debugDescription)")
            #expect(link.location >= end, "\(text.debugDescription)")
            end = link.location + link.length
            #expect(
                end <= units.count && units[link.location..<end].elementsEqual(written.utf16),
                "\(text.debugDescription)"
            )
            #expect(throws: Never.self, "\(text.debugDescription)") { try LinkURL(link.url) }
        }
    }

    @Test(arguments: seeds)
    func linkIsInTheTextAndIsAURL(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds { expectSoundLinks(in: Self.text(using: &generator)) }
    }

    @Test(arguments: seeds)
    func linkAloneIsFoundCompletely(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let text = Self.text(using: &generator)
            for link in LinkDetector.links(in: text) {
                #expect(LinkDetector.links(in: link.url).map(\.url) == [link.url], "\(text.debugDescription)")
            }
        }
    }

    @Test(arguments: seeds)
    func textsJoinedByASpaceHaveTheLinksOfBoth(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let (first, second) = (Self.text(using: &generator), Self.text(using: &generator))
            let both = LinkDetector.links(in: first + " " + second)
            let behind = LinkDetector.links(in: second).map { link in
                DetectedLink(
                    url: link.url,
                    rule: link.rule,
                    location: first.utf16.count + 1 + link.location,
                    length: link.length
                )
            }
            #expect(
                both == LinkDetector.links(in: first) + behind,
                "\(first.debugDescription) \(second.debugDescription)"
            )
        }
    }

    @Test(arguments: seeds)
    func anyCharactersAndBytesAreAccepted(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            var scalars = String.UnicodeScalarView()
            scalars.append(
                contentsOf: "https://a.example/".unicodeScalars.prefix(Int.random(in: 7...18, using: &generator))
            )
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                let top: UInt32 = [0x7F, 0x2FF, 0x32FF, 0xFFFF, 0x10FFFF].randomElement(using: &generator) ?? 0
                scalars.append(Unicode.Scalar(UInt32.random(in: 0...top, using: &generator)) ?? "a")
            }
            expectSoundLinks(in: String(scalars))
            let bytes = (0..<20).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            expectSoundLinks(in: String(decoding: Array("http://".utf8) + bytes, as: UTF8.self))
            expectSoundLinks(in: String(decoding: Array("http://a.b/".utf8) + bytes, as: UTF8.self))
        }
    }
}
