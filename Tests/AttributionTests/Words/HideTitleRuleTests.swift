import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite(.proves("B97")) struct HideTitleRuleTests {
    static let accepted: [(title: String, language: AttributionLanguage)] = [
        ("Remove Link", .english), ("Remove", .english), ("REMOVE IT", .english), ("Please remove", .english),
        ("Hide Article", .english), ("Ｒｅｍｏｖｅ", .english), ("Don’t show: remove!", .english),
        (" Remove\nLink ", .english),
        ("移除链接", .simplifiedChinese), ("隐藏文章", .simplifiedChinese), ("リンクの削除", .japanese), ("記事を非表示", .japanese),
        ("링크 제거", .korean), ("기사 가리기", .korean), ("기사 숨기기", .korean),
    ]

    @Test(arguments: accepted) func titleWithTheWordIsAccepted(_ title: String, _ language: AttributionLanguage) {
        #expect(HideTitleRule.finding(title, in: language) == nil)
    }

    static let refused: [(title: String, language: AttributionLanguage)] = [
        ("Delete Link", .english), ("Removed", .english), ("Remover", .english), ("Unhide", .english),
        ("Re-move", .english),
        ("移除链接", .english), ("Remove Link", .simplifiedChinese), ("Remove Link", .japanese), ("Remove Link", .korean),
        ("删除链接", .simplifiedChinese), ("削除", .simplifiedChinese), ("移除", .japanese), ("링크 삭제", .korean),
        ("表示", .japanese),
        ("", .english), (" \n", .japanese), ("\u{200B}", .korean),
    ]

    @Test(arguments: refused) func titleWithoutTheWordIsAFinding(_ title: String, _ language: AttributionLanguage) {
        let finding = HideTitleRule.finding(title, in: language)
        #expect(finding?.code == .hideTitleWithoutRemove)
        #expect(finding?.field == "menuTitleForHideAction")
    }

    static let messages: [(language: AttributionLanguage, message: String)] = [
        (
            .english,
            "the title needs the word “Remove” (or “Hide”), as in “Remove Link”, because the user's language is en"
        ),
        (
            .simplifiedChinese,
            "the title needs the word “移除” (or “隐藏”), as in “移除链接”, because the user's language is zh-Hans"
        ),
        (.japanese, "the title needs the word “削除” (or “非表示”), as in “リンクの削除”, because the user's language is ja"),
        (.korean, "the title needs the word “제거” (or “가리기”, “숨기기”), as in “링크 제거”, because the user's language is ko"),
    ]

    @Test(arguments: messages)
    func messageNamesAnAcceptedTitle(_ language: AttributionLanguage, _ message: String) {
        #expect(HideTitleRule.finding("x", in: language)?.message == message + "; it is used anyway")
        let blank = HideTitleRule.finding("", in: language)?.message
        #expect(blank == message + "; it is blank, so the system's title is used")
    }

    @Test(arguments: AttributionLanguage.allCases) func ownTitlesAreAccepted(_ language: AttributionLanguage) {
        for phrase in [Phrase.remove, .removeLink] {
            #expect(HideTitleRule.finding(phrase.text(in: language), in: language) == nil)
        }
    }
}
