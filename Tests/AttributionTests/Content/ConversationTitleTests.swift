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

    @Test(arguments: [nil, "", " \u{202E}\n"]) func groupWithoutANameHasItsParticipants(_ name: String?) {
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

    @Test func conversationWithoutParticipantsHasItsSharers() {
        #expect(title(.of("a", sharedBy: [(.bo, 1), (.sarah, 2)])) == "[Sarah] and [Bo]")
        #expect(title(.of("a"), in: .simplifiedChinese) == "[未知发件人]")
    }

    private func titles(_ conversations: [SharedConversation], in language: AttributionLanguage) -> [String] {
        AttributionContent(.from(conversations), in: language).conversations.map(\.title.bracketed)
    }

    @Test(.proves("B58"), arguments: AttributionLanguage.allCases)
    func peopleWithTheSameNameHaveTheirFullNames(_ language: AttributionLanguage) {
        let (kim, lee) = (Person.card("a", "Sarah", "Kim"), Person.card("b", "Sarah", "Lee"))
        #expect(
            titles([.of("a", with: [kim]), .of("b", with: [lee])], in: language) == ["[Sarah Kim]", "[Sarah Lee]"]
        )
    }

    @Test(.proves("B58"), arguments: AttributionLanguage.allCases)
    func peopleWithTheSameFullNameHaveTheirHandles(_ language: AttributionLanguage) {
        let (one, other) = (Person.card("a", "Sarah", "Kim"), Person.card("b", "Sarah", "Kim"))
        #expect(
            titles([.of("a", with: [one]), .of("b", with: [other])], in: language) == [
                "[Sarah Kim] ([a@town.example])", "[Sarah Kim] ([b@town.example])",
            ]
        )
    }

    @Test func groupsWithTheSameNameHaveTheirParticipantsOrANumber() {
        let groups: [SharedConversation] = [
            .of("a", name: "Family", with: [.sarah]), .of("b", name: "Family", with: [.bo]),
            .of("c", name: "Family", with: [.bo]), .of("d", name: "Friends", with: [.bo]),
        ]
        #expect(
            titles(groups, in: .english) == ["Family ([Sarah])", "Family ([Bo])", "Family ([Bo]) 2", "Friends"]
        )
    }

    @Test(.proves("B56")) func conversationsAreInOrder() {
        let content = AttributionContent(.from([.of("b", name: "B"), .of("a", name: "A")]), in: .english)
        #expect(content.conversations.map(\.id) == ["b", "a"])
    }

    @Test(
        .proves("B58"),
        arguments: zip(
            AttributionLanguage.allCases,
            ["Reply in which conversation?", "在哪个对话中回复？", "どの会話に返信しますか？", "어느 대화에 답장하시겠습니까?"]
        )
    ) func menuHasAQuestionAndTheConversations(_ language: AttributionLanguage, _ question: String) {
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

extension Person {
    /// Returns somebody with a card.
    fileprivate static func card(_ id: String, _ given: String, _ family: String) -> Person {
        let handle = Handle(rawValue: "\(id)@town.example")
        let card = Contact(id: ContactID(rawValue: id), givenName: given, familyName: family, handles: [handle])
        return Person(handle: handle, contact: card)
    }
}
