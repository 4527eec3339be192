import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct ConversationTitleTests {
    private func title(_ conversation: SharedConversation, in language: AttributionLanguage = .english) -> String? {
        AttributionContent(.from([conversation]), in: language).conversations.first?.title.bracketed
    }

    @Test func groupHasItsName() {
        #expect(title(.of("a", name: " Book\nClub ", with: [.sarah, .bo])) == "Book Club")
    }

    @Test(arguments: [nil, "", " \u{202E}\n"]) func groupWithoutANameHasThoseWhoTakePart(_ name: String?) {
        #expect(title(.of("a", name: name, with: [.sarah])) == "[Sarah]")
        #expect(title(.of("a", name: name, with: [.sarah, .bo, .sarah])) == "[Sarah] and [Bo]")
        #expect(title(.of("a", name: name, with: [.sarah, .bo, .ada])) == "[Sarah], [Bo], and [Ada]")
    }

    @Test(
        arguments: zip(
            AttributionLanguage.allCases,
            [
                "[Sarah], [Bo], [Ada], and 1 other", "[Sarah]、[Bo]、[Ada]和另外1人", "[Sarah]、[Bo]、[Ada]、ほか1人",
                "[Sarah], [Bo], [Ada] 외 1명",
            ]
        )
    ) func largeGroupHasThreeNames(_ language: AttributionLanguage, _ expected: String) {
        #expect(title(.of("a", with: [.sarah, .bo, .ada, .enrique]), in: language) == expected)
    }

    @Test func withoutParticipantsThereAreTheSharers() {
        #expect(title(.of("a", sharedBy: [(.bo, 1), (.sarah, 2)])) == "[Sarah] and [Bo]")
        #expect(title(.of("a"), in: .simplifiedChinese) == "[未知发件人]")
    }

    @Test(.proves("B56")) func conversationsStandInTheirOrder() {
        let content = AttributionContent(.from([.of("b", name: "B"), .of("a", name: "A")]), in: .english)
        #expect(content.conversations.map(\.id) == ["b", "a"])
    }

    @Test(
        .proves("B58"),
        arguments: zip(
            AttributionLanguage.allCases,
            ["Reply in which conversation?", "在哪个对话中回复？", "どの会話に返信しますか？", "어느 대화에 답장하시겠습니까?"]
        )
    ) func conversationsAreThereToChooseFrom(_ language: AttributionLanguage, _ question: String) {
        let link = SharedLink.from([.of("b", name: "Book Club"), .of("a", name: "Family")])
        let menu = AttributionContent(link, in: language)
            .disambiguation(app: "com.example.app", scene: "scene", url: "https://example.com/a")
        let expected = DisambiguationMenu(
            app: "com.example.app",
            scene: "scene",
            url: "https://example.com/a",
            title: question,
            choices: [
                DisambiguationMenu.Choice(conversation: "b", title: "Book Club"),
                DisambiguationMenu.Choice(conversation: "a", title: "Family"),
            ]
        )
        #expect(menu == expected)
    }
}
