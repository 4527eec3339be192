import DeviceModel
import Testing
import WaypostSchema

/// Things that a user cannot do while the device is locked.
@Suite struct LockedDeviceTests {
    private static let app: BundleIdentifier = "com.example.bakery"

    private static let device = DeviceDescription(
        name: "Phone",
        apps: [
            AppDescription(
                bundleIdentifier: app,
                scenes: [SceneSession(persistentIdentifier: "orders", state: .background)],
                shortcutItems: [ShortcutItem(type: "order", localizedTitle: "Order again")]
            )
        ],
        locked: true
    )

    private static func reasons(_ effects: [DeviceEffect]) -> [IgnoredEvent.Reason] {
        effects.compactMap { effect in
            guard case .system(.eventIgnored(let ignored)) = effect else { return nil }
            return ignored.reason
        }
    }

    @Test(
        arguments: [
            .appOpened(app), .shortcutItemPerformed(app, type: "order"),
            .userActivityContinued(app, UserActivity(activityType: "com.example.order"), from: nil),
            .urlOpened("https://bakery.example/", from: nil),
        ] as [SceneEvent]
    )
    func nothingOpensUntilTheDeviceIsUnlocked(_ event: SceneEvent) throws {
        var model = try DeviceModel(Self.device)
        let now = Timestamp(milliseconds: 1_790_000_000_000)
        let refused = model.apply(.scene(event), at: now).effects
        #expect(Self.reasons(refused) == [.locked])
        #expect(model.app(Self.app)?.scenes.map(\.state) == [.background])
        _ = model.apply(.setting(.lockSet(isOn: false)), at: now)
        let opened = model.apply(.scene(event), at: now).effects
        #expect(Self.reasons(opened).isEmpty && !opened.isEmpty)
    }

    @Test(
        arguments: [
            (.appOpened("com.example.other"), .unknownApp),
            (.shortcutItemPerformed(app, type: "pay"), .unknownShortcutItem),
            (.urlOpened("bread", from: nil), .notAWebURL),
        ] as [(SceneEvent, IgnoredEvent.Reason)]
    )
    func mistakeIsNamedBeforeTheLock(_ event: SceneEvent, _ reason: IgnoredEvent.Reason) throws {
        var model = try DeviceModel(Self.device)
        let effects = model.apply(.scene(event), at: Timestamp(milliseconds: 1_790_000_000_000)).effects
        #expect(Self.reasons(effects) == [reason])
    }

    /// The same events come from apps, which may ask for a scene in the background.
    @Test func requestOfAnAppForASceneIsNotRefused() throws {
        var model = try DeviceModel(Self.device)
        let event = SceneEvent.sceneBroughtForward(Self.app, "orders", nil)
        let effects = model.apply(.scene(event), at: Timestamp(milliseconds: 1_790_000_000_000)).effects
        #expect(Self.reasons(effects).isEmpty)
    }
}
