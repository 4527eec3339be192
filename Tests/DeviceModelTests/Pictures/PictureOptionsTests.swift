import DeviceModel
import Testing
import WaypostSchema

/// The options of pictures: each one changes the picture, and other values are refused.
@Suite struct PictureOptionsTests {
    /// An option with a value that differs from the default.
    struct Change: Sendable, CustomTestStringConvertible {
        let kind: PictureKind
        let option: PictureOption
        let value: String

        var testDescription: String { "\(kind.rawValue) \(option.rawValue)" }
    }

    private static let values: [PictureOption: String] = [
        .backdrop: "colorful", .style: "dark", .contentSizeCategory: "accessibilityLarge", .locale: "ja", .limit: "1",
        .displayContext: "detail", .horizontalAlignment: "trailing", .backgroundStyle: "color",
        .preferredMaxLayoutWidth: "100", .width: "120", .height: "20", .minimumContentSizeCategory: "accessibility1",
        .maximumContentSizeCategory: "XS", .menuTitleForHideAction: "Remove Link", .supplementalMenuItem: "Download",
    ]

    /// The options that have a value; those of the menu change nothing of the view, and have findings only.
    static let changes: [Change] = PictureKind.allCases.flatMap { kind in
        kind.options.compactMap { option in
            let isOfMenu = [.menuTitleForHideAction, .supplementalMenuItem].contains(option)
            guard kind != .attribution || !isOfMenu, let value = values[option] else { return nil }
            return Change(kind: kind, option: option, value: value)
        }
    }

    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show, from: .enrique, in: .enrique)
        device.receive(Link.show, from: .sarah, in: .sarah)
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.request()
        device.tap()
    }

    private func svg(_ kind: PictureKind, _ values: [PictureOption: String] = [:]) throws -> String {
        var options = PictureOptions()
        for (option, value) in values { try options.set(option, to: value) }
        return try device.model.picture(kind, of: PicturedLink(Link.show, in: .tv), options).svg(options.appearance)
    }

    @Test func everyOptionHasAValueHere() {
        #expect(Set(Self.values.keys) == Set(PictureOption.allCases))
        #expect(Set(PictureKind.allCases.flatMap(\.options)) == Set(PictureOption.allCases))
    }

    @Test(arguments: changes) func optionChangesThePicture(_ change: Change) throws {
        let picture = try svg(change.kind, [change.option: change.value])
        #expect(try picture != svg(change.kind))
        #expect(try picture == svg(change.kind, [change.option: change.value]))
    }

    @Test func materialBlursAColorfulBackdrop() throws {
        let colorful: [PictureOption: String] = [.backdrop: "colorful"]
        let colored = colorful.merging([.backgroundStyle: "color"]) { first, _ in first }
        let blurred = try svg(.attribution, colorful)
        let plain = try svg(.attribution, colored)
        let transparent = try svg(.attribution)
        #expect(blurred.contains("feGaussianBlur") && blurred.contains("<circle"))
        #expect(!plain.contains("feGaussianBlur"))
        #expect(!transparent.contains("feGaussianBlur"))
    }

    @Test func presentedMenuIsInTheLanguageOfTheOption() throws {
        let (english, korean) = (try svg(.presentation), try svg(.presentation, [.locale: "ko"]))
        #expect(english.contains("Cancel") && english.contains("Sarah"))
        #expect(korean.contains("취소") && korean.contains("Sarah"))
    }

    @Test mutating func presentationIsTheChosenConversationAndThenNothing() throws {
        device.talk(in: .sarah)
        let picture = try svg(.presentation)
        #expect(picture.contains("Sarah") && picture.contains("Reply") && !picture.contains("Enrique"))
        device.dismiss()
        let finished = self
        let ignored = #expect(throws: IgnoredEvent.self) { try finished.svg(.presentation) }
        #expect(ignored?.reason == .notPresented)
    }

    @Test(
        arguments: [
            (PictureOption.backdrop, "red", "'red' is not accepted; use one of none, oneColor, colorful"),
            (.style, "blue", "'blue' is not accepted; use one of light, dark"),
            (.contentSizeCategory, "huge", "'huge' is not a text size; use one of extraSmall, small"),
            (.locale, "English", "'English' is not a language tag; use one of en, zh-Hans, ja, ko"),
            (.locale, "", "is not a language tag"), (.locale, "en-", "is not a language tag"),
            (.limit, "101", "'101' is not a number from 0 to 100"), (.limit, "-1", "is not a number from 0 to 100"),
            (.displayContext, "full", "use one of summary, detail"),
            (.horizontalAlignment, "left", "use one of default, leading, center, trailing"),
            (.backgroundStyle, "glass", "use one of default, color, material"),
            (.preferredMaxLayoutWidth, "wide", "'wide' is not a number of points from 0 to 100000"),
            (.width, "-1", "'-1' is not a number of points from 0 to 100000"), (.height, "nan", "from 0 to 100000"),
            (.minimumContentSizeCategory, "XXXXL", "is not a text size"),
            (.maximumContentSizeCategory, "", "is not a text size"),
        ] as [(PictureOption, String, String)]
    )
    func otherValueIsRefused(_ option: PictureOption, value: String, message: String) {
        var options = PictureOptions()
        do throws(PictureOptionError) {
            try options.set(option, to: value)
            Issue.record("\(value) is accepted")
        } catch {
            #expect(error.message.contains(message), "\(error.message)")
            #expect(options == PictureOptions())
        }
    }

    @Test(arguments: ["en", "zh-Hans", "zh_CN", "de-CH", "ja", "kok"]) func languageTagIsAccepted(_ tag: String) throws
    {
        var options = PictureOptions()
        try options.set(.locale, to: tag)
        #expect(options != PictureOptions())
    }
}
