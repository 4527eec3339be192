import Attribution
import Testing

@Suite struct AttributionLanguageTests {
    static let tags: [(tag: String, language: AttributionLanguage)] = [
        ("en", .english), ("en-GB", .english), ("fr-FR", .english), ("", .english), ("-", .english), ("zhx", .english),
        ("zh", .simplifiedChinese), ("zh-CN", .simplifiedChinese), ("zh_Hans_HK", .simplifiedChinese),
        ("ZH-hans", .simplifiedChinese), ("zh-SG", .simplifiedChinese), ("zh-Hant", .english), ("zh-TW", .english),
        ("zh-HK", .english), ("zh_MO", .english), ("ja", .japanese), ("ja-JP", .japanese), ("JA_jp", .japanese),
        ("ko", .korean), ("ko-KR", .korean), ("kok", .english),
    ]

    @Test(arguments: tags) func tagSelectsTheClosestLanguage(_ tag: String, _ language: AttributionLanguage) {
        #expect(AttributionLanguage(tag: tag) == language)
    }

    @Test(arguments: AttributionLanguage.allCases) func tagOfALanguageSelectsIt(_ language: AttributionLanguage) {
        #expect(AttributionLanguage(tag: language.rawValue) == language)
    }
}
