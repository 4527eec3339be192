import DeviceModel
import Testing
import WaypostSchema

/// New scenes are of the declarations of their app.
@Suite struct SceneDeclarationTests {
    private static let shop: BundleIdentifier = "com.example.clowntown"
    private static let order = "https://shop.example/orders/7"
    private static let orders = SceneDeclaration(
        name: "orders",
        kind: .windowGroup,
        matching: ["/orders/"],
        preferring: ["/orders/"],
        allowing: ["/orders/"]
    )
    private static let main = SceneDeclaration(name: "main", kind: .windowGroup, allowing: [])

    /// Returns a device whose only app has a scene that displays nothing.
    private static func device(_ declarations: [SceneDeclaration]?) throws -> DeviceModel {
        let app = AppDescription(
            bundleIdentifier: shop,
            scenes: [.example("start", .foregroundActive, can: "FALSEPREDICATE")],
            shortcutItems: [ShortcutItem(type: "sale", localizedTitle: "Sale", targetContentIdentifier: "sale")],
            declarations: declarations
        )
        return try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
    }

    @Test func newSceneHasTheConditionsOfItsDeclaration() throws {
        var device = try Self.device([Self.main, Self.orders])
        let opened = try #require(device.deliverAndOpen(.example(about: Self.order), at: .hour).opened)
        #expect(opened.scene == "new-scene-1")
        #expect(opened.decision?.declaration == "orders")
        let scene = try #require(device.scene("new-scene-1", of: Self.shop))
        #expect(scene.declaration == "orders")
        #expect(scene.activationConditions == ActivationConditions(preferring: ["/orders/"], allowing: ["/orders/"]))
        // The new scene takes the next order, and nothing else.
        let next = device.deliverAndOpen(.example("n2", about: "https://shop.example/orders/8"), at: .hour).opened
        #expect(next?.scene == "new-scene-1")
        #expect(next?.decision?.reason == .prefers)
        let other = device.deliverAndOpen(.example("n3", about: "https://shop.example/cart"), at: .hour).opened
        #expect(other?.scene == "new-scene-2")
        #expect(device.scene("new-scene-2", of: Self.shop)?.declaration == "main")
    }

    @Test func sceneWithoutDeclarationsIsAsBefore() throws {
        var device = try Self.device(nil)
        let opened = device.deliverAndOpen(.example(about: Self.order), at: .hour).opened
        #expect(opened?.decision?.declaration == nil)
        let scene = device.scene("new-scene-1", of: Self.shop)
        #expect(scene?.declaration == nil)
        #expect(scene?.activationConditions == ActivationConditions())
    }

    /// Events whose content no declaration accepts.
    private static let events: [DeviceEvent] = [
        .notification(.notificationOpened("n1")), .scene(.shortcutItemPerformed(shop, type: "sale")),
        .scene(.userActivityContinued(shop, UserActivity(activityType: "a", targetContentIdentifier: "b"), from: nil)),
        .scene(.sceneRequested(shop, UserActivity(activityType: "a", targetContentIdentifier: "b"))),
        .scene(.sceneCreated(shop, UserActivity(activityType: "a", webpageURL: "https://shop.example/"))),
    ]

    @Test(arguments: events) func nothingOpensIfNoDeclarationMatches(_ event: DeviceEvent) throws {
        var device = try Self.device([Self.orders])
        device.go(through: .notification(.notificationDelivered(.example(about: "https://shop.example/cart"))))
        let before = (device.description, device.notifications)
        let effects = device.go(through: event)
        #expect(effects.refusal?.reason == .noDeclarationMatches)
        #expect(effects.refusal?.explanation.hasPrefix("\(Self.shop): ") == true)
        #expect(device.description == before.0)
        #expect(device.notifications == before.1)
        #expect(device.activations(of: Self.shop).isEmpty)
    }

    @Test func launchAndARequestWithoutContentOpenTheFirstDeclaration() throws {
        var device = try Self.device([Self.orders, Self.main])
        let events: [(DeviceEvent, SceneIdentifier)] = [
            (.scene(.sceneCreated(Self.shop, nil)), "new-scene-1"),
            (.scene(.sceneRequested(Self.shop, UserActivity(activityType: "a"))), "new-scene-2"),
        ]
        for (event, scene) in events {
            #expect(device.go(through: event).openedScene?.scene == scene)
            #expect(device.scene(scene, of: Self.shop)?.declaration == "main")
        }
    }

    /// The only declaration is not of a window that a request could open.
    @Test func requestWithoutContentOpensNothingIfNoWindowIsDeclared() throws {
        let remote = SceneDeclaration(name: "remote", kind: .configuration, role: "carTemplateApplication")
        var device = try Self.device([remote])
        let before = device.description
        let effects = device.go(through: .scene(.sceneRequested(Self.shop, UserActivity(activityType: "a"))))
        #expect(effects.refusal?.reason == .noDeclarationMatches)
        #expect(effects.refusal?.explanation.contains("and nothing opens, because") == true)
        #expect(effects.refusal?.explanation.contains("is created") == false)
        #expect(device.description == before)
    }

    @Test func decisionWithoutAnEventSaysThatNothingOpens() throws {
        let decision = try Self.device([Self.orders]).sceneDecision(for: .notification("cart"), of: Self.shop)
        #expect(decision?.outcome == .nothing)
        #expect(decision?.reason == .noneCan)
        #expect(decision?.findings.count == 1)
    }

    @Test func declarationsAreInTheDescription() throws {
        var device = try Self.device([Self.main, Self.orders])
        _ = device.deliverAndOpen(.example(about: Self.order), at: .hour)
        let copy = try DeviceModel(device.description)
        #expect(copy.description == device.description)
        #expect(copy.app(Self.shop)?.declarations == [Self.main, Self.orders])
    }
}
