import Highlights
import Testing

/// The heading over an app's highlights.
@Suite struct CollectionTitleTests {
    @Test(arguments: [
        ("en", "Shared with You"), ("en-GB", "Shared with You"), ("de", "Shared with You"), ("", "Shared with You"),
        ("zh-Hans", "与你共享"), ("zh", "与你共享"), ("zh-CN", "与你共享"), ("zh_Hans_CN", "与你共享"), ("zh-Hans-HK", "与你共享"),
        ("ZH-hans", "与你共享"), ("zh-Hant", "Shared with You"), ("zh-TW", "Shared with You"), ("zh-HK", "Shared with You"),
        ("zh-Hant-CN", "Shared with You"), ("ja", "あなたと共有"), ("ja-JP", "あなたと共有"), ("ko", "나와 공유된 항목"),
        ("ko_KR", "나와 공유된 항목"), ("kok", "Shared with You"), ("jam", "Shared with You"),
    ])
    func titleIsInTheLanguageOfThePerson(_ language: String, _ title: String) {
        #expect(CollectionTitle.text(in: language) == title)
    }
}
