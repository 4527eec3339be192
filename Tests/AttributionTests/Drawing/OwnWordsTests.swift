import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Attribution

/// Texts of the device are never truncated, at any size: only texts of people and apps are.
@Suite struct OwnWordsTests {
    /// Returns the text of a picture from top to bottom, without white space and isolates.
    private static func drawn(_ svg: String) throws -> String {
        try ParsedXML(svg).elements.filter { $0.name == "text" }.map(\.text).joined().letters
    }

    private static let apps = [
        "Clown Town", String(repeating: "W", count: 40), String(repeating: "小丑", count: 20),
        String(repeating: "Wide Words ", count: 4).withoutSpaceAtEnd,
    ]

    @Test(arguments: AttributionLanguage.allCases, ContentSizeCategory.allCases)
    func offerIsNotTruncated(_ language: AttributionLanguage, _ category: ContentSizeCategory) throws {
        for app in Self.apps {
            let card = MenuCard(offerFor: app, in: language)
            let svg = MenuCardDrawing(card, in: language, preferredContentSizeCategory: category).svg()
            let texts = [
                Wording.sharingQuestion(app: app, in: language), Phrase.sharingMessage.text(in: language),
                Phrase.turnOn.text(in: language), Phrase.notNow.text(in: language),
            ]
            #expect(try Self.drawn(svg) == texts.joined().letters)
        }
    }

    @Test(arguments: AttributionLanguage.allCases, ContentSizeCategory.allCases)
    func menusAreNotTruncated(_ language: AttributionLanguage, _ category: ContentSizeCategory) throws {
        for phrase in [Phrase.remove, .removeLink] {
            let title = phrase.text(in: language)
            let preferences = AttributionPreferences(menuTitleForHideAction: title)
            let card = MenuCard(AttributionMenu(preferences: preferences, in: language))
            let svg = MenuCardDrawing(card, in: language, preferredContentSizeCategory: category).svg()
            #expect(try Self.drawn(svg) == [Phrase.reply.text(in: language), title].joined().letters)
        }
        let question = DisambiguationMenu(
            app: "example.app",
            url: "https://a.example",
            title: Phrase.conversationQuestion.text(in: language),
            choices: []
        )
        let card = MenuCard(question, in: language)
        let svg = MenuCardDrawing(card, in: language, preferredContentSizeCategory: category).svg()
        #expect(try Self.drawn(svg) == [question.title, Phrase.cancel.text(in: language)].joined().letters)
    }

    @Test(.proves("B11", "B17"), arguments: AttributionLanguage.allCases, ContentSizeCategory.allCases)
    func headingAndShowMoreAreNotTruncated(_ language: AttributionLanguage, _ category: ContentSizeCategory) throws {
        for (style, end) in [(ShowMore.Style.expandsInPlace, ""), (.listsAll, "›")] {
            let content = ShelfContent([], ShowMore(items: 3, after: 0, style: style), in: language)
            let texts = [Phrase.sharedWithYou.text(in: language), Phrase.showMore.text(in: language), end]
            for width in [160, 390] {
                let svg = ShelfDrawing(content, width: width, preferredContentSizeCategory: category).svg()
                #expect(try Self.drawn(svg) == texts.joined().letters)
            }
        }
    }

    @Test func textsOfAppsAndPeopleAreTruncated() throws {
        let long = String(repeating: "long words ", count: 1_000)
        let rows = [MenuCard.Row(title: long, kind: .action), MenuCard.Row(title: long, kind: .destructive)]
        let texts = try ParsedXML(MenuCardDrawing(MenuCard(sections: [rows]), in: .english).svg()).elements
            .filter { $0.name == "text" }.map(\.text)
        #expect(texts.count == 4)
        #expect(texts.filter { $0.contains("…") }.count == 2)
    }
}

extension String {
    /// The text without white space and isolates, so that its lines can be joined.
    fileprivate var letters: String {
        filter { !$0.isWhitespace && $0 != "\u{2068}" && $0 != "\u{2069}" }
    }
}
