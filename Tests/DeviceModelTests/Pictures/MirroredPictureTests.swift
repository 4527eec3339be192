import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// Pictures in the layout direction and the language of the app.
@Suite struct MirroredPictureTests {
    private var device = SharingDevice()

    init() {
        device.pin(device.receive(Link.show, from: .enrique, in: .enrique))
        device.pin(device.receive(Link.show, from: .sarah, in: .sarah))
        device.request()
        device.tap()
    }

    private func svg(_ kind: PictureKind, locale: String? = nil, width: String? = nil) throws -> String {
        var options = PictureOptions()
        if let locale { try options.set(.locale, to: locale) }
        if let width { try options.set(.width, to: width) }
        return try device.model.picture(kind, of: PicturedLink(Link.show, in: .tv), options).svg(options.appearance)
    }

    /// Sets the user's language, and the languages of the TV app's strings.
    private mutating func set(_ language: String, strings: [String]?) {
        let texts: [String: String] = ["greeting": "…"]
        var apps = device.model.description.apps
        for index in apps.indices where apps[index].bundleIdentifier == .tv {
            apps[index].localizedStrings = strings.map { languages in
                Dictionary(uniqueKeysWithValues: languages.map { ($0, texts) })
            }
        }
        device.set(language: language, apps: apps)
        device.request()
        device.tap()
    }

    @Test(.proves("B83"), arguments: PictureKind.allCases)
    mutating func pictureIsMirroredIfTheAppRunsFromRightToLeft(_ kind: PictureKind) throws {
        let english = try svg(kind)
        let mirrored = try svg(kind, locale: "ar")
        #expect(mirrored != english)
        set("ar", strings: nil)
        #expect(try svg(kind) == mirrored)
        // The device and the option have the same rule: without strings in Arabic, the app runs in English.
        set("ar", strings: ["en"])
        #expect(try svg(kind) == english)
        set("en", strings: ["en", "de"])
        #expect(try svg(kind, locale: "ar") == english)
    }

    @Test(arguments: ["zh-Hans-CN", "zh_Hans_CN"])
    mutating func shelfHasItsHeadingInTheLanguageOfTheApp(_ locale: String) throws {
        #expect(try svg(.shelf, locale: locale).contains("与你共享"))
        set("en", strings: ["en", "zh-Hans"])
        #expect(try svg(.shelf, locale: locale).contains("与你共享"))
        set("en", strings: ["en"])
        #expect(try svg(.shelf, locale: locale).contains("Shared with You"))
    }

    @Test(arguments: [PictureKind.disambiguation, .presentation])
    mutating func menuOfConversationsHasPhotographs(_ kind: PictureKind) throws {
        let header = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1Pe"
        #expect(try !svg(kind).contains("data:image/png"))
        var card = Contact.sarah
        card.photo = header
        device.apply(.sharing(.contactChanged(card)))
        #expect(try svg(kind).contains("data:image/png;base64,\(header)"))
    }
}
