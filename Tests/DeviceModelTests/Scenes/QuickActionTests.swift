import DeviceModel
import Testing
import WaypostSchema

/// Home Screen quick actions: the static actions of an app, and the dynamic actions that it sets.
@Suite struct QuickActionTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let notes: BundleIdentifier = "com.example.notes"
    private static let call = ShortcutItem(type: "call", localizedTitle: "Call a Clown")
    private static let feed = ShortcutItem(
        type: "feed",
        localizedTitle: "Feed Crusty",
        localizedSubtitle: "Pies",
        targetContentIdentifier: "crusty",
        userInfo: .object(["pies": .integer(3)])
    )
    private static let wash = ShortcutItem(type: "wash", localizedTitle: "Wash", targetContentIdentifier: "car")
    private var device: DeviceModel

    init() throws {
        var description = DeviceDescription.example
        description.apps[1].shortcutItems = [Self.call]
        device = try DeviceModel(description)
    }

    @Test mutating func dynamicActionsFollowStaticActions() {
        #expect(device.shortcutItems(of: Self.clownTown) == [Self.call])
        let effects = device.go(through: .scene(.shortcutItemsSet(Self.clownTown, [Self.feed, Self.wash])))
        #expect(effects.isEmpty)
        #expect(device.shortcutItems(of: Self.clownTown) == [Self.call, Self.feed, Self.wash])
        #expect(device.app(Self.clownTown)?.shortcutItems == [Self.call])
        #expect(device.app(Self.clownTown)?.dynamicShortcutItems == [Self.feed, Self.wash])
    }

    @Test mutating func newDynamicActionsReplaceFormerOnes() {
        device.go(
            through: .scene(.shortcutItemsSet(Self.clownTown, [Self.feed, Self.wash])),
            .scene(.shortcutItemsSet(Self.clownTown, [Self.feed]))
        )
        #expect(device.shortcutItems(of: Self.clownTown) == [Self.call, Self.feed])
        device.go(through: .scene(.shortcutItemsSet(Self.clownTown, [])))
        #expect(device.shortcutItems(of: Self.clownTown) == [Self.call])
    }

    @Test mutating func eachAppHasItsOwnActions() {
        device.go(through: .scene(.shortcutItemsSet(Self.notes, [Self.call])))
        #expect(device.shortcutItems(of: Self.notes) == [Self.call])
        #expect(device.shortcutItems(of: Self.clownTown) == [Self.call])
        #expect(device.shortcutItems(of: "com.example.camera")?.isEmpty == true)
        #expect(device.shortcutItems(of: "com.example.absent") == nil)
    }

    @Test(arguments: [([wash, wash], "wash"), ([wash, call], "call")])
    mutating func actionsWithARepeatedTypeAreNotSet(_ items: [ShortcutItem], _ type: String) {
        device.go(through: .scene(.shortcutItemsSet(Self.clownTown, [Self.feed])))
        let effects = device.go(through: .scene(.shortcutItemsSet(Self.clownTown, items)))
        #expect(effects.refusal?.reason == .repeatedShortcutItem)
        #expect(effects.refusal?.explanation.contains("'\(type)'") == true)
        #expect(device.shortcutItems(of: Self.clownTown) == [Self.call, Self.feed])
    }

    @Test(arguments: [[call, call], [call, feed, call]])
    func descriptionWithARepeatedActionTypeIsRefused(_ items: [ShortcutItem]) {
        let half = items.count / 2
        let app = AppDescription(
            bundleIdentifier: Self.clownTown,
            scenes: [],
            shortcutItems: Array(items[..<half]),
            dynamicShortcutItems: Array(items[half...])
        )
        #expect(throws: DescriptionError.repeatedShortcutItem(Self.clownTown, "call")) {
            try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
        }
    }

    struct Case: CustomTestStringConvertible {
        var item: ShortcutItem
        var scene: SceneIdentifier
        var reason: SceneDecision.Reason
        var testDescription: String { item.type }
    }

    @Test(
        arguments: [
            Case(item: call, scene: "overview", reason: .noIdentifier),
            Case(item: feed, scene: "crusty", reason: .prefers),
            Case(item: wash, scene: "overview", reason: .can),
        ]
    )
    mutating func actionOpensTheSceneForItsContent(_ example: Case) {
        let effects = device.go(
            through: .scene(.shortcutItemsSet(Self.clownTown, [Self.feed, Self.wash])),
            .scene(.shortcutItemPerformed(Self.clownTown, type: example.item.type))
        )
        let opened = effects.openedScene
        #expect(opened?.app == Self.clownTown)
        #expect(opened?.activation == SceneActivation(number: 2, scene: example.scene, shortcutItem: example.item))
        #expect(opened?.decision?.reason == example.reason)
        #expect(opened?.decision?.targetContentIdentifier == example.item.targetContentIdentifier)
        #expect(device.foreground == [example.scene])
    }

    @Test mutating func unknownActionIsNotPerformed() {
        let before = device.description
        let effects = device.go(through: .scene(.shortcutItemPerformed(Self.clownTown, type: "feed")))
        #expect(effects.refusal?.reason == .unknownShortcutItem)
        #expect(
            effects.refusal?.explanation == "the app com.example.clowntown has no quick action with the type 'feed'"
        )
        let others = device.go(through: .scene(.shortcutItemPerformed(Self.notes, type: "call")))
        #expect(others.refusal?.reason == .unknownShortcutItem)
        #expect(device.description == before)
    }

    @Test(
        arguments: [
            .scene(.shortcutItemsSet("com.example.absent", [])),
            .scene(.shortcutItemPerformed("com.example.absent", type: "call")),
        ] as [DeviceEvent]
    )
    mutating func unknownAppHasNoActions(_ event: DeviceEvent) {
        let effects = device.go(through: event)
        #expect(effects.refusal?.reason == .unknownApp)
    }
}
