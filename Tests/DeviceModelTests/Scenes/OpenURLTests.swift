import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// A URL opens in the app that handles it as a universal link, or otherwise as a website.
@Suite struct OpenURLTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let withinApp = "the website opens: the link was followed within the app that it belongs to"
    private static let noApp = "the website opens: no app on the device has the URL as a universal link"
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(apps: [Self.app(Self.clownTown), DeviceDescription.example.apps[2]])
        _ = device.fetch(ClownTown.file())
    }

    /// Returns an app with a disconnected scene for Crusty, and a foreground scene for any content.
    private static func app(_ bundleIdentifier: BundleIdentifier) -> AppDescription {
        var app = AppDescription.example(bundleIdentifier, domains: ["applinks:\(ClownTown.domain)"])
        let crusty = "SELF == '\(ClownTown.url)'"
        app.scenes = [
            .example("overview", .foregroundActive, at: 2),
            .example("crusty", .disconnected, can: crusty, prefers: crusty),
        ]
        return app
    }

    @Test(.proves("B35")) mutating func linkOpensItsApp() {
        let links = device.linkDecisions(on: ClownTown.url)
        let opened = device.go(through: .scene(.urlOpened(ClownTown.url, from: nil))).openedURL
        #expect(opened?.url == ClownTown.url)
        #expect(opened?.destination == .app)
        #expect(opened?.explanation == "com.example.clowntown opens: the URL is one of its universal links")
        #expect(opened?.opened?.device == "tablet")
        #expect(opened?.opened?.app == Self.clownTown)
        #expect(opened?.links == links)
        #expect(links.map(\.reason) == [.matched])
    }

    @Test(.proves("B35", "B69")) mutating func appReceivesABrowsingWebActivity() {
        let opened = device.go(through: .scene(.urlOpened(ClownTown.url, from: nil))).openedURL?.opened
        let activity = UserActivity(activityType: "NSUserActivityTypeBrowsingWeb", webpageURL: ClownTown.url)
        #expect(opened?.activation.userActivity == activity)
        #expect(opened?.activation.notification == nil)
        #expect(device.activations(of: Self.clownTown).map(\.userActivity) == [activity])
    }

    @Test(.proves("B69"), arguments: [SceneState.foregroundActive, .foregroundInactive, .background, .disconnected])
    func processHandlesTheActivityWhateverItsSceneDidBefore(_ state: SceneState) throws {
        var app = Self.app(Self.clownTown)
        app.scenes = [.example("only", state)]
        var device = try DeviceModel(apps: [app])
        _ = device.fetch(ClownTown.file())
        device.go(through: .scene(.urlOpened(ClownTown.url, from: nil)))
        var process = AppProcess(of: Self.clownTown)
        let activations = process.newEvents(on: device).flatMap { event -> [SceneActivation] in
            if case .sceneConnected(let scene) = event { scene.connectionOptions } else { [] }
        }
        let activity = UserActivity(activityType: "NSUserActivityTypeBrowsingWeb", webpageURL: ClownTown.url)
        #expect(activations.map(\.userActivity) == [activity])
        let taken = device.go(through: activations.map { .scene(.activationTaken(Self.clownTown, number: $0.number)) })
        #expect(taken.isEmpty)
        #expect(device.activations(of: Self.clownTown).isEmpty)
    }

    @Test(
        .proves("B35"),
        arguments: [
            (ClownTown.url, "crusty", .prefers), ("https://clowntown.example/clowns/bozo", "overview", .can),
        ] as [(String, SceneIdentifier, SceneDecision.Reason)]
    )
    mutating func sceneIsChosenByTheWebpageURL(
        _ url: String,
        _ scene: SceneIdentifier,
        _ reason: SceneDecision.Reason
    ) {
        let opened = device.go(through: .scene(.urlOpened(url, from: nil))).openedURL?.opened
        #expect(opened?.activation.scene == scene)
        #expect(opened?.decision?.reason == reason)
        #expect(opened?.decision?.subject == SceneSubject(text: url, source: .webpageURL))
        #expect(device.foreground == [scene])
    }

    @Test(
        .proves("B35"),
        arguments: [
            ("https://clowntown.example/tickets", .noRuleMatched), ("https://balloons.example/clowns/crusty", .noEntry),
        ] as [(String, LinkDecision.Reason)]
    )
    mutating func urlWithoutAMatchingAppOpensAsAWebsite(_ url: String, _ reason: LinkDecision.Reason) {
        let before = device.description
        let opened = device.go(through: .scene(.urlOpened(url, from: nil))).openedURL
        #expect(opened?.url == url)
        #expect(opened?.destination == .website)
        #expect(opened?.explanation == Self.noApp)
        #expect(opened?.opened == nil)
        #expect(opened?.links.map(\.reason) == [reason])
        #expect(device.description == before)
        #expect(device.activations(of: Self.clownTown).isEmpty)
    }

    @Test func linkWithoutAFetchedFileOpensAsAWebsite() throws {
        var device = try DeviceModel(apps: [Self.app(Self.clownTown)])
        let before = device.go(through: .scene(.urlOpened(ClownTown.url, from: nil))).openedURL
        #expect(before?.destination == .website)
        #expect(before?.links.map(\.reason) == [.fileNotFetched])
        _ = device.fetch(ClownTown.file(), at: Timestamp(milliseconds: 100))
        let after = device.go(through: .scene(.urlOpened(ClownTown.url, from: nil))).openedURL
        #expect(after?.destination == .app)
    }

    @Test func deviceWithoutLinksOpensEveryURLAsAWebsite() throws {
        var device = try DeviceModel(.example)
        let opened = device.go(through: .scene(.urlOpened(ClownTown.url, from: nil))).openedURL
        #expect(opened?.destination == .website)
        #expect(opened?.explanation == Self.noApp)
        #expect(opened?.links.isEmpty == true)
    }

    @Test(.proves("B35")) mutating func linkFollowedWithinItsAppOpensTheWebsite() {
        let before = device.description
        let opened = device.go(through: .scene(.urlOpened(ClownTown.url, from: Self.clownTown))).openedURL
        #expect(opened?.destination == .website)
        #expect(opened?.explanation == Self.withinApp)
        #expect(opened?.links.map(\.reason) == [.matched])
        #expect(device.description == before)
        #expect(device.activations(of: Self.clownTown).isEmpty)
    }

    @Test mutating func linkFollowedWithinAnotherAppOpensItsApp() {
        let opened = device.go(through: .scene(.urlOpened(ClownTown.url, from: "com.example.notes"))).openedURL
        #expect(opened?.destination == .app)
        #expect(opened?.opened?.app == Self.clownTown)
    }

    @Test mutating func pageThatIsNoWebURLIsAnError() {
        let effects = device.go(through: .scene(.urlOpened(ClownTown.url, from: nil, page: "Balloons")))
        #expect(effects.refusal?.reason == .notAWebURL)
        #expect(effects.refusal?.explanation.hasPrefix("'Balloons' is not an http or https URL") == true)
    }

    @Test mutating func urlOfNoAppFollowedWithinAnAppOpensTheWebsite() {
        let url = "https://balloons.example/"
        let opened = device.go(through: .scene(.urlOpened(url, from: Self.clownTown))).openedURL
        #expect(opened?.destination == .website)
        #expect(opened?.explanation == Self.noApp)
    }

    @Test(
        arguments: [
            "", "clowns/crusty", "//clowntown.example/clowns/crusty", "https://", "clown town://clowns/crusty",
        ]
    )
    mutating func textThatIsNotAWebURLIsIgnored(_ text: String) {
        let before = device.description
        let effects = device.go(through: .scene(.urlOpened(text, from: nil)))
        #expect(effects.refusal?.reason == .notAWebURL)
        #expect(effects.refusal?.explanation.hasPrefix("'\(text)' is not an http or https URL") == true)
        #expect(device.description == before)
    }
}
