import Testing
import TextBasics
import WaypostSchema
import WaypostTestSupport

@testable import Attribution

@Suite struct MenuCardDrawingTests {
    private static let card = MenuCard(
        title: "Which?",
        message: "One of these.",
        sections: [
            [MenuCard.Row(title: "Reply", kind: .action), MenuCard.Row(title: "Remove", kind: .destructive)],
            [MenuCard.Row(title: "Cancel", kind: .cancel)],
        ]
    )

    @Test func everyPartIsDrawnFromTopToBottom() throws {
        let texts = try ParsedXML(MenuCardDrawing(Self.card, in: .english).svg()).elements
            .filter { $0.name == "text" }
        #expect(texts.map { $0.text.safe(for: .terminal) } == ["Which?", "One of these.", "Reply", "Remove", "Cancel"])
        let baselines = texts.compactMap { $0.attributes["y"].flatMap(Double.init) }
        #expect(baselines.count == 5 && baselines == baselines.sorted())
    }

    @Test(.proves("B26"), arguments: AttributionLanguage.allCases, Appearance.Style.allCases)
    func removeIsDestructiveInEachLanguage(_ language: AttributionLanguage, _ style: Appearance.Style) throws {
        let menu = AttributionMenu(preferences: AttributionPreferences(), in: language)
        let texts = try ParsedXML(MenuCardDrawing(MenuCard(menu), in: language).svg(style)).elements
            .filter { $0.name == "text" }
        let palette = Palette[style]
        #expect(texts.map(\.text) == [Phrase.reply, .remove].map { $0.text(in: language).isolated })
        #expect(texts.map { $0.attributes["fill"] } == [palette.label, palette.destructive])
    }

    @Test func rowsAreNumberedAcrossSections() {
        let text = MenuCardDrawing(Self.card, in: .english).terminalText
        #expect(text == "Which?\nOne of these.\n\n1. Reply\n2. Remove\n\n3. Cancel\n")
    }

    @Test func cardGrowsWithItsText() throws {
        let heights = try ContentSizeCategory.allCases.map { category in
            let svg = MenuCardDrawing(Self.card, in: .english, preferredContentSizeCategory: category).svg()
            return try #require(try ParsedXML(svg).elements.first?.attributes["height"].flatMap(Double.init))
        }
        #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 < $1 })
    }
}
