import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The place to which the user returns: the same app, scene and URL.
@Suite struct ContentPlaceTests {
    private var device = SharingDevice(apps: [Self.tv, Self.music])

    private static let tv = app(
        .tv,
        "applinks:tv.example",
        .example("left", .foregroundActive, prefers: "SELF == 'left'"),
        .example("right")
    )
    private static let music = app(.music, "applinks:music.example", .example("player"), .example("list", at: 5))

    private static func app(_ id: BundleIdentifier, _ domain: String, _ scenes: SceneSession...) -> AppDescription {
        var app = AppDescription.sharing(id, domain)
        app.scenes = scenes
        return app
    }

    init() {
        device.shareAutomatically(with: .tv, .music)
        device.receive("\(Link.show) \(Link.playlist)")
        device.request(Link.show, in: .tv, as: .first)
        device.request(Link.playlist, in: .music, as: .second)
    }

    private let tvRight = ContentPlace(app: .tv, scene: "right", url: Link.show)
    private let tvLeft = ContentPlace(app: .tv, scene: "left", url: Link.show)

    @Test(.proves("B24", "B25")) mutating func tappedSceneIsCoveredAndReturnedTo() {
        #expect(device.tap(.first, in: "right").conversations.map(\.scene) == ["right"])
        #expect(device.seen == ["com.example.tv/right"])
        #expect(device.reply().places == [tvRight])
        #expect(device.seen == ["com.example.tv/right"])
    }

    @Test(.proves("B27")) mutating func sceneOfTheMenuIsCovered() {
        #expect(device.choose(.reply, in: "right").conversations.map(\.scene) == ["right"])
        #expect(device.dismiss().places == [tvRight])
    }

    @Test mutating func foregroundSceneIsTheDefault() {
        #expect(device.tap(.first).conversations.map(\.scene) == ["left"])
        #expect(device.reply().places == [tvLeft])
    }

    @Test mutating func mostRecentlyActivatedSceneIsTheDefaultOfABackgroundApp() {
        #expect(device.tap(.second, of: .music).conversations.map(\.scene) == ["list"])
        #expect(device.seen == ["com.example.music/list"])
    }

    @Test mutating func placeOfAnAppWithoutScenesHasNoScene() {
        var device = SharingDevice()
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
        device.request()
        #expect(device.tap().conversations.map(\.scene) == [nil])
        #expect(device.reply().places == [ContentPlace(app: .tv, url: Link.show)])
    }

    @Test mutating func unknownSceneIsRefused() {
        for effects in [device.tap(.first, in: "player"), device.choose(.reply, in: "absent")] {
            #expect(effects.ignored == [.unknownScene] && effects.count == 1)
        }
        #expect(device.seen == ["com.example.tv/left"])
        #expect(device.points(of: Link.show)[.interacted] == nil)
    }

    @Test(.proves("B25")) mutating func replyBringsTheSceneBackToTheFront() {
        device.tap(.first, in: "right")
        openNotification(for: .music)
        #expect(device.seen.map { $0.hasPrefix("com.example.music/") } == [true])
        #expect(device.reply().places == [tvRight])
        #expect(device.seen == ["com.example.tv/right"])
    }

    @Test mutating func dismissalBringsTheSceneBackToTheFront() {
        device.tap(.first, in: "right")
        openNotification(for: .tv, about: "left")
        #expect(device.seen == ["com.example.tv/left"])
        device.dismiss()
        #expect(device.seen == ["com.example.tv/right"])
    }

    @Test mutating func tapActivatesItsScene() {
        device.tap(.first, in: "right")
        let scenes = device.model.description.apps.first { $0.bundleIdentifier == .tv }?.scenes ?? []
        #expect(scenes.map(\.lastActivated) == [nil, device.now])
        #expect(scenes.map(\.state) == [.background, .foregroundActive])
    }

    @Test mutating func tapInAnotherAppLeavesThatAppInFront() {
        device.tap(.first, in: "right")
        let effects = device.tap(.second, of: .music, in: "player")
        #expect(effects.notices.map(\.app) == [.tv, .music])
        #expect(effects.notices.map(\.state) == [.dismissed, .presented])
        #expect(effects.places == [tvRight])
        #expect(device.seen == ["com.example.music/player"])
        #expect(device.reply().places == [ContentPlace(app: .music, scene: "player", url: Link.playlist)])
    }

    @Test mutating func tapInAnotherSceneLeavesThatSceneInFront() {
        device.tap(.first, in: "right")
        #expect(device.tap(.first, in: "left").conversations.map(\.scene) == ["left"])
        #expect(device.seen == ["com.example.tv/left"])
    }

    @Test mutating func tapInOneOfTwoVisibleScenesLeavesBothInFront() {
        device.set(apps: [
            Self.app(
                .tv,
                "applinks:tv.example",
                .example("left", .foregroundActive),
                .example("right", .foregroundActive)
            ), Self.music,
        ])
        device.tap(.first, in: "right")
        #expect(device.seen == ["com.example.tv/left", "com.example.tv/right"])
    }

    @Test mutating func tapInOneOfTwoWindowsPutsThatOneInFront() {
        device.apply(.setting(.layoutSet(.twoWindows)))
        device.tap(.first, in: "left")
        device.apply(.scene(.sceneBroughtForward(.tv, "right", nil)))
        // The tap closes the conversation over the left scene, which comes to the front before the right one.
        device.tap(.first, in: "right")
        #expect(device.seen == ["com.example.tv/left", "com.example.tv/right"])
        #expect(device.model.frontScene(of: .tv) == "right")
        openNotification(for: .music)
        #expect(device.seen == ["com.example.music/list", "com.example.tv/right"])
    }

    @Test mutating func removedSceneIsNotReturnedTo() {
        device.tap(.first, in: "right")
        device.apply(.system(.appInstalled(Self.app(.tv, "applinks:tv.example", .example("left")))))
        let effects = device.reply()
        #expect(effects.sent.count == 1 && effects.notices.map(\.state) == [.dismissed])
        #expect(effects.places == [ContentPlace(app: .tv, url: Link.show)])
    }

    @Test mutating func conversationDeletedElsewhereDoesNotBringTheAppToTheFront() {
        device.tap(.first, in: "right")
        openNotification(for: .music)
        let seen = device.seen
        let effects = device.apply(.sharing(.conversationDeleted(.enrique)))
        #expect(effects.notices.map(\.state) == [.dismissed])
        #expect(effects.places.isEmpty)
        #expect(device.seen == seen)
    }

    @Test mutating func appWithoutScenesIsNotReturnedToFromAnotherApp() {
        var device = SharingDevice(apps: [.tv, Self.music])
        device.shareAutomatically(with: .tv, .music)
        device.receive("\(Link.show) \(Link.playlist)")
        device.request()
        device.tap()
        #expect(device.model.presentationEffect != nil)
        let notification = DeliveredNotification.example(for: "com.example.music", about: nil)
        device.apply(.notification(.notificationDelivered(notification)))
        device.apply(.notification(.notificationOpened(notification.id)))
        let effects = device.apply(.sharing(.conversationDeleted(.enrique)))
        #expect(effects.notices.map(\.state) == [.dismissed] && effects.places.isEmpty)
        #expect(device.model.presentationEffect == nil)
    }

    private mutating func openNotification(for app: BundleIdentifier, about content: String? = nil) {
        let notification = DeliveredNotification.example(for: Topic(rawValue: app.rawValue), about: content)
        device.apply(.notification(.notificationDelivered(notification)))
        device.apply(.notification(.notificationOpened(notification.id)))
    }
}
