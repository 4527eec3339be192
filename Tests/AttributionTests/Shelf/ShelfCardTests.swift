import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Attribution

@Suite struct ShelfCardTests {
    private static let attribution = AttributionContent(.shared(by: Person.friends), in: .english)

    private static func card(_ url: String, _ preview: LinkPreview? = nil) -> ShelfCard {
        ShelfCard(url: url, preview: preview, attribution: attribution)
    }

    @Test(.proves("B14", "B15")) func cardHasTheContentOfThePreview() {
        let preview = LinkPreview(
            url: "https://a.example/1",
            title: " Episode\n1 ",
            subtitle: "The Show",
            thumbnail: Samples.pixel
        )
        let card = Self.card(preview.url, preview)
        #expect(card.title == "Episode 1")
        #expect(card.subtitle == "The Show")
        #expect(card.thumbnail == .picture(Samples.pixel))
    }

    @Test(.proves("B14"), arguments: [nil, "", " \n"]) func subtitleIsOptional(_ subtitle: String?) {
        let preview = LinkPreview(url: "https://a.example/1", title: "One", subtitle: subtitle)
        #expect(Self.card(preview.url, preview).subtitle == nil)
    }

    @Test(arguments: [
        ("https://clown.example/shows/1?from=mail#top", "clown.example/shows/1", "C"),
        ("HTTPS://www.clown.example/", "www.clown.example", "C"),
        ("https://user:secret@tv.example:8080/a/b//", "tv.example:8080/a/b", "T"),
        ("https://2600.example", "2600.example", "2"), ("https://ß.example/@me", "ß.example/@me", "S"),
        ("https://a.example/x@y", "a.example/x@y", "A"), ("mailto:a", "mailto:a", "M"), ("///", "", "·"),
        ("https://münchen.example/\u{202E}gnp", "münchen.example/gnp", "M"),
    ])
    func hostAndPathReplaceAMissingTitle(_ url: String, _ title: String, _ letter: String) {
        let card = Self.card(url)
        #expect(card.title == title)
        guard case .placeholder(letter, _) = card.thumbnail else {
            Issue.record("\(card.thumbnail) is not a placeholder with \(letter)")
            return
        }
    }

    @Test func placeholderIsTheSameForTheSamePage() {
        let one = Self.card("https://a.example/1").thumbnail
        #expect(one == Self.card("https://a.example/1?from=mail").thumbnail)
        let colors = Set((0..<60).map { Self.card("https://a.example/\($0)").thumbnail })
        #expect(colors.count == AvatarColor.count)
    }

    @Test(arguments: [
        ("Red noses", "R"), ("“élan”", "É"), ("ŉoko", "N"), ("小丑的一天", "小"), ("🎪 Circus", "🎪"), ("10 minutes", "P"),
        (" \n", "P"), ("…", "P"),
    ])
    func placeholderHasTheInitialOfTheTitleAndTheColorOfTheURL(_ title: String, _ letter: String) {
        let url = "https://pod.example/1"
        let card = Self.card(url, LinkPreview(url: url, title: title))
        guard case .placeholder("P", let color) = Self.card(url).thumbnail else {
            Issue.record("without a title the letter is not the host's")
            return
        }
        #expect(card.thumbnail == .placeholder(letter: letter, color: color))
    }
}
