import Attribution
import Testing

@Suite struct PhraseTests {
    private static let cells = Phrase.allCases.flatMap { phrase in
        AttributionLanguage.allCases.map { (phrase, $0) }
    }

    @Test(arguments: cells) func phrasesArePlainText(_ phrase: Phrase, _ language: AttributionLanguage) {
        let text = phrase.text(in: language)
        #expect(!text.isEmpty)
        #expect(PlainText.plain(text) == text)
    }

    @Test(arguments: cells) func phrasesAreTranslated(_ phrase: Phrase, _ language: AttributionLanguage) {
        let text = phrase.text(in: language)
        let hasLatin = text.unicodeScalars.contains { $0.isASCII && $0.properties.isAlphabetic }
        #expect(hasLatin == (language == .english), "\(text)")
        #expect(language == .english || text != phrase.text(in: .english))
    }

    @Test(arguments: cells) func phrasesAreInTheScriptOfTheLanguage(_ phrase: Phrase, _ language: AttributionLanguage) {
        let scalars = phrase.text(in: language).unicodeScalars
        let hasHangul = scalars.contains { ("\u{AC00}"..."\u{D7A3}").contains($0) }
        let hasKana = scalars.contains { ("\u{3041}"..."\u{30FA}").contains($0) }
        let hasHan = scalars.contains { ("\u{4E00}"..."\u{9FFF}").contains($0) }
        switch language {
        case .english: #expect(!hasHangul && !hasKana && !hasHan)
        case .simplifiedChinese: #expect(!hasHangul && !hasKana && hasHan)
        case .japanese: #expect(!hasHangul && (hasKana || hasHan))
        case .korean: #expect(hasHangul && !hasKana && !hasHan)
        }
    }

    /// Words of machine translation that are not idiomatic here.
    static let artifacts = [
        "당신", "모호", "접촉자", "사람과 관련된", "관련된 사람", "속성 보기", "어트리뷰션", "회신", "공유 시트", "您", "消歧", "属性视图", "工具架",
        "曖昧さ", "アトリビューション", "棚",
    ]

    @Test(arguments: cells) func phrasesContainNoWordsOfMachineTranslation(
        _ phrase: Phrase,
        _ language: AttributionLanguage
    ) {
        let text = phrase.text(in: language)
        #expect(Self.artifacts.allSatisfy { !text.contains($0) }, "\(text)")
    }

    @Test(arguments: Phrase.allCases) func languagesAgreeOnPlaceholders(_ phrase: Phrase) {
        let counts = AttributionLanguage.allCases.map { phrase.text(in: $0).split(separator: "%").count }
        let hasArgument = AttributionLanguage.allCases.map { phrase.text(in: $0).contains("%@") }
        #expect(Set(hasArgument).count == 1, "\(counts)")
    }

    static let platform: [(phrase: Phrase, words: [String])] = [
        (.sharedWithYou, ["Shared with You", "与你共享", "あなたと共有", "나와 공유된 항목"]),
        (.showMore, ["Show More", "显示更多", "すべて見る", "더 보기"]), (.reply, ["Reply", "回复", "返信", "답장"]),
        (.remove, ["Remove", "移除", "削除", "제거"]), (.removeLink, ["Remove Link", "移除链接", "リンクの削除", "링크 제거"]),
        (.cancel, ["Cancel", "取消", "キャンセル", "취소"]),
    ]

    @Test(arguments: platform) func phrasesAreThoseOfThePlatform(_ phrase: Phrase, _ words: [String]) {
        #expect(AttributionLanguage.allCases.map(phrase.text(in:)) == words)
    }
}
