import Attribution
import Testing

@Suite struct WordingTests {
    private func inAllLanguages(_ text: (AttributionLanguage) -> String) -> [String] {
        AttributionLanguage.allCases.map(text)
    }

    @Test func numberOfOthersIsInTheUsersLanguage() {
        #expect(inAllLanguages { Wording.others(1, in: $0) } == ["1 other", "另外1人", "ほか1人", "외 1명"])
        #expect(inAllLanguages { Wording.others(2, in: $0) } == ["2 others", "另外2人", "ほか2人", "외 2명"])
        #expect(Wording.others(12, in: .english) == "12 others")
    }

    @Test func offerNamesTheApp() {
        let questions = inAllLanguages { Wording.sharingQuestion(app: "Clown\nTown", in: $0) }
        #expect(
            questions == [
                "Share automatically with \u{2068}Clown Town\u{2069}?", "要与“\u{2068}Clown Town\u{2069}”自动共享吗？",
                "「\u{2068}Clown Town\u{2069}」と自動的に共有しますか？", "\u{2068}Clown Town\u{2069} 앱과 자동으로 공유하시겠습니까?",
            ]
        )
    }

    static let appNames: [(name: String, shown: String)] = [
        (String(repeating: "가", count: 40), String(repeating: "가", count: 40)),
        (String(repeating: "가", count: 41), String(repeating: "가", count: 40) + "…"),
        (String(repeating: "👩‍👩‍👧‍👦", count: 100), String(repeating: "👩‍👩‍👧‍👦", count: 40) + "…"),
        (String(repeating: "a", count: 39) + " bc", String(repeating: "a", count: 39) + "…"),
    ]

    @Test(arguments: appNames, AttributionLanguage.allCases)
    func longNameOfAnAppIsShortenedInTheOffer(
        _ app: (name: String, shown: String),
        _ language: AttributionLanguage
    ) {
        let question = Wording.sharingQuestion(app: app.name, in: language)
        #expect(question == Wording.sharingQuestion(app: "A", in: language).replacing("A", with: app.shown))
    }

    @Test func nameWithAPlaceholderIsShownUnchanged() {
        #expect(Wording.sharedBy(["%@"], in: .english) == "Shared by \u{2068}%@\u{2069}")
        #expect(Wording.sharingQuestion(app: "%@", in: .korean) == "\u{2068}%@\u{2069} 앱과 자동으로 공유하시겠습니까?")
    }

    @Test func numberOfConversationsIsInTheUsersLanguage() {
        let texts = inAllLanguages { Wording.conversations(3, in: $0) }
        #expect(texts == ["In 3 conversations", "在3个对话中", "3件の会話", "대화 3개"])
    }
}
