import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The language of an app, which decides the layout direction and the title of its shelf.
@Suite struct AppLanguageTests {
    private static func app(_ languages: [String]?) -> AppDescription {
        var app = AppDescription.tv
        let strings: [String: String] = ["greeting": "…"]
        app.localizedStrings = languages.map { languages in
            Dictionary(uniqueKeysWithValues: languages.map { ($0, strings) })
        }
        return app
    }

    @Test(
        arguments: [
            (nil, "ar", "ar"), ([], "ar", "ar"), (["en", "ar"], "ar-EG", "ar-EG"), (["en", "de"], "ar", "en"),
            (["zh-Hant"], "zh-Hant-TW", "zh-Hant-TW"), (["zh-Hant"], "zh-Hans", "en"),
        ] as [([String]?, String, String)]
    )
    func appRunsInTheUsersLanguageOrEnglish(_ languages: [String]?, language: String, expected: String) {
        var device = SharingDevice(apps: [Self.app(languages)])
        device.set(language: language)
        #expect(device.model.appLanguage(of: .tv) == expected)
    }

    @Test(
        .proves("B83"),
        arguments: [(nil, LayoutDirection.rightToLeft), (["en"], .leftToRight), (["ar"], .rightToLeft)]
            as [([String]?, LayoutDirection)]
    )
    func directionOfTheAppDecidesTheLeadingEdge(_ languages: [String]?, _ direction: LayoutDirection) throws {
        var device = SharingDevice(apps: [Self.app(languages)])
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
        device.set(language: "ar")
        #expect(device.model.attributionTraits(of: .tv).layoutDirection == direction)
        let layout = try #require(device.model.drawing(of: Link.show, in: .tv)?.layout)
        let background = try #require(layout.background)
        #expect((background.x == .zero) == (direction == .leftToRight))
        #expect((background.x + background.width == layout.size.width) == (direction == .rightToLeft))
    }

    @Test(arguments: [("en", "Shared with You"), ("ja", "あなたと共有"), ("zh-Hans", "与你共享"), ("ko", "나와 공유된 항목")])
    func appGetsTheTitleOfItsShelf(_ language: String, _ title: String) {
        var device = SharingDevice()
        device.set(language: language)
        #expect(device.model.highlightPage(of: .tv, limit: 0).highlightCollectionTitle == title)
        #expect(device.model.shelfReport(on: .tv, from: 0, limit: 0)?.highlightCollectionTitle == title)
        device.set(language: language, apps: [Self.app(["en"])])
        #expect(device.model.highlightCollectionTitle(for: .tv) == "Shared with You")
    }
}
