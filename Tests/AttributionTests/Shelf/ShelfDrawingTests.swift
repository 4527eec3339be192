import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Attribution

@Suite struct ShelfDrawingTests {
    @Test(.proves("B13", "B16"), arguments: AttributionLanguage.allCases)
    func everyCardHasItsOwnAttributionView(_ language: AttributionLanguage) throws {
        let content = Samples.shelf(in: language, limit: 3)
        let drawing = ShelfDrawing(content)
        #expect(content.cards.count == 3)
        let texts = try ParsedXML(drawing.svg()).elements.filter { $0.name == "text" }.map(\.text)
        for card in drawing.cardDrawings {
            let text = try #require(card.attribution.layout.text?.text)
            #expect(texts.contains(text))
            #expect(card.attribution.layout.outcome != .notDrawn)
        }
    }

    @Test(.proves("B11"), arguments: AttributionLanguage.allCases)
    func headingCardsAndShowMoreAreInOrder(_ language: AttributionLanguage) throws {
        let content = Samples.shelf(in: language, limit: 2)
        let elements = try ParsedXML(ShelfDrawing(content).svg()).elements.filter { $0.name == "text" }
        #expect(elements.first?.text == Phrase.sharedWithYou.text(in: language).isolated)
        #expect(elements.last?.text == Phrase.showMore.text(in: language).isolated)
    }

    @Test(.proves("B17"), arguments: [(2, true), (4, false), (9, false)])
    func showMoreIsShownIfItemsAreHidden(_ limit: Int, _ isThere: Bool) throws {
        let drawing = ShelfDrawing(Samples.shelf(in: .english, limit: limit))
        #expect(drawing.svg().contains("Show More") == isThere)
        #expect(drawing.terminalText.contains("Show More") == isThere)
    }

    @Test func onlyShowMoreOfAnotherPageHasAnArrow() {
        for style in ShowMore.Style.allCases {
            let svg = ShelfDrawing(Samples.shelf(in: .english, limit: 1, style: style)).svg()
            #expect(svg.contains("More ›") == (style == .listsAll))
        }
    }

    @Test func textHasTheContentOfThePicture() {
        let text = ShelfDrawing(Samples.shelf(in: .english, limit: 2)).terminalText
        #expect(
            text == """
                Shared with You

                1. How the circus came to town
                   The Clown Podcast
                   (EN) Enrique  [Pinned]

                2. Ten minutes that changed juggling for ever, and what came after
                   (EN)(SK)(TW) Enrique and 2 others

                Show More

                """
        )
    }

    @Test func emptyShelfHasOnlyItsHeading() {
        let content = ShelfContent([], ShowMore(items: 0, after: 3), in: .korean)
        #expect(ShelfDrawing(content).terminalText == "나와 공유된 항목\n")
    }

    @Test func widthHasAMinimum() throws {
        let content = Samples.shelf(in: .english, limit: 1)
        let svg = ShelfDrawing(content, width: -5).svg()
        #expect(try ParsedXML(svg).elements.first?.attributes["width"] == "160")
    }

    @Test(arguments: ContentSizeCategory.allCases, [160, 320, 390, 1_000])
    func attributionViewIsAtMostAsWideAsItsCard(_ category: ContentSizeCategory, _ width: Int) {
        let content = Samples.shelf(in: .english, limit: 4)
        for card in ShelfDrawing(content, width: width, preferredContentSizeCategory: category).cardDrawings {
            #expect(card.attribution.layout.size.width <= Points(width - 56))
        }
    }
}
