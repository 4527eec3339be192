import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// The rows of menus and questions that the device draws over an app.
@Suite struct MenuCardTests {
    private typealias Row = MenuCard.Row

    @Test func removeIsDestructiveInTheViewsMenu() {
        let preferences = AttributionPreferences(supplementalMenu: [MenuItem(id: "save", title: "Save")])
        let card = MenuCard(AttributionMenu(preferences: preferences, in: .korean))
        let sections = [
            [Row(title: "답장", kind: .action), Row(title: "제거", kind: .destructive)],
            [Row(title: "Save", kind: .action)],
        ]
        #expect(card == MenuCard(sections: sections))
    }

    @Test func contextMenuHasTheSameRows() {
        let view = AttributionMenu(preferences: AttributionPreferences(), in: .japanese)
        let card = MenuCard([MenuItem(id: "open", title: "Open")].appending(view))
        let sections = [
            [Row(title: "Open", kind: .action)],
            [Row(title: "返信", kind: .action), Row(title: "削除", kind: .destructive)],
        ]
        #expect(card == MenuCard(sections: sections))
    }

    @Test(.proves("B58"), arguments: zip(AttributionLanguage.allCases, ["Cancel", "取消", "キャンセル", "취소"]))
    func menuOfConversationsCanBeCanceled(_ language: AttributionLanguage, _ cancel: String) {
        let link = SharedLink.from([.of("a", name: "Family"), .of("b", with: [.sarah])])
        let menu = AttributionContent(link, in: language).disambiguation(
            app: "com.example.app",
            url: "https://example.com"
        )
        let card = MenuCard(menu, in: language)
        #expect(card.title == menu.title)
        #expect(card.message == nil)
        let sections = [
            [Row(title: "Family", kind: .action), Row(title: "Sarah".isolated, kind: .action)],
            [Row(title: cancel, kind: .cancel)],
        ]
        #expect(card.sections == sections)
    }

    @Test(
        arguments: zip(
            AttributionLanguage.allCases,
            [["Turn On", "Not Now"], ["启用", "以后"], ["オンにする", "今はしない"], ["켜기", "나중에"]]
        )
    ) func offerNamesTheAppAndCanBeDeclined(_ language: AttributionLanguage, _ answers: [String]) {
        let card = MenuCard(offerFor: "Clown\nTown", in: language)
        #expect(card.title?.contains("\u{2068}Clown Town\u{2069}") == true)
        #expect(card.message == Phrase.sharingMessage.text(in: language))
        let rows = card.sections.flatMap(\.self)
        #expect(rows.map(\.title) == answers)
        #expect(rows.map(\.kind) == [.action, .cancel])
    }
}
