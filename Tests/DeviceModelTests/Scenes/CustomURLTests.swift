import DeviceModel
import Testing
import WaypostSchema

/// A URL with a scheme of an app opens the app.
@Suite struct CustomURLTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let crusty = "clowntown://clowns/crusty"

    private var device: DeviceModel

    init() throws {
        device = try Self.device(schemes: [Self.clownTown: ["clowntown", "Tents"]])
    }

    /// Returns a device with an app for each key, each with two scenes, one of them for Crusty.
    private static func device(schemes: [BundleIdentifier: [String]]) throws -> DeviceModel {
        let apps = schemes.map { app, schemes in
            AppDescription(
                bundleIdentifier: app,
                scenes: [
                    .example("overview", .background, at: 2),
                    .example("crusty", .disconnected, prefers: "SELF ENDSWITH '/crusty'"),
                ],
                urlSchemes: schemes.isEmpty ? nil : schemes
            )
        }
        return try DeviceModel(DeviceDescription(name: "tablet", apps: apps))
    }

    @Test(
        arguments: [
            (crusty, "crusty", .prefers), ("clowntown://clowns/bozo", "overview", .can),
            ("CLOWNTOWN:crusty", "overview", .can), ("tents:/crusty", "crusty", .prefers),
        ] as [(String, SceneIdentifier, SceneDecision.Reason)]
    )
    mutating func conditionsChooseTheScene(_ url: String, scene: SceneIdentifier, reason: SceneDecision.Reason) throws {
        let result = try #require(device.go(through: .scene(.urlOpened(url, from: nil))).openedURL)
        let opened = try #require(result.opened)
        #expect(result.destination == .app)
        #expect(result.links.isEmpty)
        #expect(opened.scene == scene)
        #expect(opened.decision?.reason == reason)
        #expect(opened.decision?.subject == SceneSubject(text: url, source: .url))
        #expect(opened.cause == .customURL)
        #expect(opened.activation.url == url)
        #expect(device.activations(of: Self.clownTown) == [opened.activation])
        #expect(device.foreground == [scene])
    }

    @Test mutating func lockedDeviceOpensNoURL() {
        device.go(through: .setting(.lockSet(isOn: true)))
        #expect(device.go(through: .scene(.urlOpened(Self.crusty, from: nil))).refusal?.reason == .locked)
        #expect(device.activations(of: Self.clownTown).isEmpty)
    }

    /// UIKit calls the method for a URL before a scene in the background comes to the front.
    @Test mutating func processReceivesTheURLBeforeTheSceneIsInTheForeground() {
        device.go(through: .scene(.appOpened(Self.clownTown)))
        var process = AppProcess(of: Self.clownTown)
        _ = process.newEvents(on: device)
        device.go(through: .scene(.sceneBackgrounded(Self.clownTown, "overview")))
        _ = process.newEvents(on: device)
        device.go(through: .scene(.urlOpened("clowntown://clowns/bozo", from: nil)))
        guard case .sceneActivated(let activation) = process.newEvents(on: device).first else {
            _ = Issue.record("the first event is not the URL")
            return
        }
        #expect(activation.url == "clowntown://clowns/bozo")
        #expect(activation.method == "scene(_:openURLContexts:)")
    }

    /// Unlike a universal link, the URL opens the app in which it was followed.
    @Test mutating func urlOpensTheAppInWhichItWasFollowed() {
        let opened = device.go(through: .scene(.urlOpened(Self.crusty, from: Self.clownTown))).openedURL
        #expect(opened?.opened?.scene == "crusty")
    }

    @Test func firstAppByBundleIdentifierOpens() throws {
        var device = try Self.device(schemes: ["b.example": ["town"], "a.example": ["town"], "c.example": ["tents"]])
        let opened = try #require(device.go(through: .scene(.urlOpened("town:crusty", from: nil))).openedURL)
        #expect(opened.opened?.app == "a.example")
        #expect(opened.explanation.contains("a.example opens"))
        #expect(opened.explanation.contains("b.example has it too"))
        #expect(!opened.explanation.contains("c.example"))
    }

    @Test(
        arguments: [
            ([clownTown: ["tents", "clowntown"]], "the schemes of the apps are clowntown, tents"),
            ([clownTown: []], "no app has any (urlSchemes)"),
        ] as [([BundleIdentifier: [String]], String)]
    )
    func unknownSchemeIsRefusedWithTheOthers(_ schemes: [BundleIdentifier: [String]], hint: String) throws {
        var device = try Self.device(schemes: schemes)
        let before = device.description
        let refusal = device.go(through: .scene(.urlOpened("circus://crusty", from: nil))).refusal
        #expect(refusal?.reason == .unknownURLScheme)
        #expect(refusal?.explanation == "no app on the device has the URL scheme 'circus'; \(hint)")
        #expect(device.description == before)
    }

    /// The limit for links is not one for other URLs.
    @Test mutating func longURLOpensTheApp() {
        let url = "clowntown://" + String(repeating: "a", count: 16_384)
        let opened = device.go(through: .scene(.urlOpened(url, from: nil))).openedURL
        #expect(opened?.destination == .app)
        #expect(opened?.opened?.activation.url == url)
    }

    @Test mutating func refusalOfALongLinkNamesTheLength() {
        let url = "https://clowntown.example/" + String(repeating: "a", count: 16_384)
        let refusal = device.go(through: .scene(.urlOpened(url, from: nil))).refusal
        #expect(refusal?.reason == .notAWebURL)
        #expect(refusal?.explanation == "the URL has 16410 bytes; a link has at most 16384")
    }
}
