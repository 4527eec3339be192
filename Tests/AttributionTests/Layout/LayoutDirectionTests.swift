import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Attribution

/// Layouts from right to left.
@Suite struct LayoutDirectionTests {
    @Test(arguments: [
        "ar", "ar-EG", "he", "iw_IL", "fa-IR", "ur", "yi", "ckb", "az-Arab", "pa-PK", "AR", "uz-AF", "ku-Arab-IQ",
        "ar-u-nu-latn", "ar-EG-u-nu-latn",
    ])
    func languageIsWrittenFromRightToLeft(_ tag: String) {
        #expect(LayoutDirection(languageTag: tag) == .rightToLeft)
    }

    @Test(arguments: [
        "en", "ja", "zh-Hans", "ko", "az", "pa-IN", "ku", "ar-Latn", "", "es-AR", "de-x-arab1", "de-x-arab",
        "en-u-nu-arab",
    ])
    func languageIsWrittenFromLeftToRight(_ tag: String) {
        #expect(LayoutDirection(languageTag: tag) == .leftToRight)
    }

    @Test(
        .proves("B83"),
        arguments: [
            (AttributionPreferences.HorizontalAlignment.default, 222.1), (.leading, 222.1), (.center, 111.05),
            (.trailing, 0),
        ]
    )
    func leadingEdgeIsOnTheRight(_ alignment: AttributionPreferences.HorizontalAlignment, _ x: Double) {
        let layout = AttributionLayout(
            AttributionContent(["Enrique"]),
            AttributionPreferences(horizontalAlignment: alignment),
            preferredContentSizeCategory: .large,
            layoutDirection: .rightToLeft
        )
        #expect(layout.background?.x.inPoints == x)
        #expect(layout.size.width.inPoints == 320)
    }

    @Test(arguments: AttributionLanguage.allCases) func everythingIsMirrored(_ language: AttributionLanguage) {
        let content = AttributionContent.sample(in: language)
        for preferences in [AttributionPreferences(), AttributionPreferences(width: 150, height: 20)] {
            let layout = content.layout(preferences)
            let mirrored = AttributionLayout(
                content,
                preferences,
                preferredContentSizeCategory: .large,
                layoutDirection: .rightToLeft
            )
            let width = layout.size.width
            #expect(mirrored.size == layout.size && mirrored.outcome == layout.outcome)
            #expect(mirrored.text?.text == layout.text?.text)
            #expect(mirrored.rectangles.map(\.right) == layout.rectangles.map { width - $0.x })
            #expect(mirrored.rectangles.map(\.y) == layout.rectangles.map(\.y))
            // The first avatar is at the leading edge, and in front.
            let edges = mirrored.avatars.map(\.frame.x)
            #expect(edges == edges.sorted { $0 > $1 })
        }
    }

    /// The letters of an avatar are centered in the part that the avatar in front of it does not cover.
    @Test(arguments: LayoutDirection.allCases)
    func lettersAreClearOfTheAvatarInFront(_ direction: LayoutDirection) throws {
        let content = AttributionContent(SharedLink.shared(by: Array(Person.friends.prefix(2))), in: .english)
        let layout = AttributionLayout(
            content,
            AttributionPreferences(),
            preferredContentSizeCategory: .large,
            layoutDirection: direction
        )
        let svg = AttributionDrawing(content: content, layout: layout).svg()
        let texts = try ParsedXML(svg).elements.filter { $0.name == "text" && $0.attributes["text-anchor"] == "middle" }
        // The avatar behind is drawn first.
        let behind = try #require(layout.avatars.last?.frame)
        let x = try #require(texts.first?.attributes["x"].flatMap(Double.init))
        #expect((x > behind.midX.inPoints) == (direction == .leftToRight))
    }

    @Test func picturesAreMirrored() throws {
        let shelf = Samples.shelf(in: .english, limit: 2)
        let menu = MenuCard(Samples.ownMenu(in: .english))
        let card = SampleNotifications.card("Hi", nil, nil)
        let pictures = LayoutDirection.allCases.map { direction in
            [
                ShelfDrawing(shelf, layoutDirection: direction).svg(),
                MenuCardDrawing(menu, in: .english, layoutDirection: direction).svg(),
                NotificationDrawing(banner: card, in: .english, layoutDirection: direction).svg(),
            ]
        }
        for (picture, mirrored) in zip(pictures[0], pictures[1]) {
            let width = try #require(try ParsedXML(picture).elements.first?.attributes["width"].flatMap(Double.init))
            let (lines, mirroredLines) = (try Self.lines(in: picture), try Self.lines(in: mirrored))
            #expect(lines.map(\.text) == mirroredLines.map(\.text))
            // The shelf's attribution views have coordinates of their own.
            for (line, mirroredLine) in zip(lines, mirroredLines).prefix(2) {
                #expect(abs(width - line.x - line.width - mirroredLine.x) < 0.011, "\(line.text)")
            }
        }
    }

    private static func lines(in svg: String) throws -> [(text: String, x: Double, width: Double)] {
        try ParsedXML(svg).elements.filter { $0.name == "text" && $0.attributes["text-anchor"] == nil }.map { element in
            let x = try #require(element.attributes["x"].flatMap(Double.init))
            let width = try #require(element.attributes["textLength"].flatMap(Double.init))
            return (element.text, x, width)
        }
    }
}
