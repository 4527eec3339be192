import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct OpeningTests {
    private static let now = Timestamp(milliseconds: 100)
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
    }

    @Test(.proves("T2")) mutating func openingReportsTheNotificationAndTheDecision() throws {
        let opened = try #require(device.deliverAndOpen(.example(about: "crusty"), at: Self.now).opened)
        #expect(opened.device == "tablet")
        #expect(opened.app == Self.clownTown)
        #expect(opened.scene == "crusty")
        #expect(opened.decision?.scene == "crusty")
        #expect(opened.decision?.reason == .prefers)
        #expect(opened.notification == device.notifications.first)
    }

    /// Both ways to set the narrower reading: the device file and an event.
    @Test(.proves("T19"), arguments: [true, false])
    mutating func sceneMayPreferOnlyWhatItCanDisplayIfTheDeviceSaysSo(isDescribed: Bool) throws {
        var description = DeviceDescription.example
        description.apps[1].scenes[1].activationConditions.canActivateForTargetContentIdentifierPredicate =
            "FALSEPREDICATE"
        description.prefersOnlyAmongCapable = isDescribed
        device = try DeviceModel(description)
        let scene = { (device: DeviceModel) in
            device.sceneDecision(for: .notification("crusty"), of: Self.clownTown)?.scene
        }
        if !isDescribed {
            #expect(scene(device) == "crusty")
            _ = device.apply(.setting(.prefersOnlyAmongCapableSet(isOn: true)), at: Self.now)
        }
        #expect(scene(device) == "overview")
        #expect(device.description.prefersOnlyAmongCapable)
        #expect(device.deliverAndOpen(.example(about: "crusty"), at: Self.now).opened?.scene == "overview")
    }

    @Test mutating func traceHasTheStatesFromBeforeTheOpening() throws {
        let opened = try #require(device.deliverAndOpen(.example(about: "crusty"), at: Self.now).opened)
        #expect(opened.decision?.trace.map(\.state) == [.disconnected, .foregroundActive])
    }

    @Test(.proves("T7")) mutating func openedSceneIsForegroundActiveAndWasActivatedNow() throws {
        _ = device.deliverAndOpen(.example(about: "crusty"), at: Self.now)
        let scene = try #require(device.scene("crusty", of: Self.clownTown))
        #expect(scene.state == .foregroundActive)
        #expect(scene.lastActivated == Self.now)
    }

    @Test mutating func everyOtherForegroundSceneOfTheDeviceGoesToTheBackground() throws {
        #expect(device.foreground == ["overview", "left"])
        _ = device.deliverAndOpen(.example(about: "crusty"), at: Self.now)
        #expect(device.foreground == ["crusty"])
        #expect(device.scene("overview", of: Self.clownTown)?.state == .background)
        #expect(device.scene("left", of: "com.example.notes")?.state == .background)
    }

    @Test mutating func scenesThatGoToTheBackgroundKeepTheirActivationTime() {
        _ = device.deliverAndOpen(.example(about: "crusty"), at: Self.now)
        #expect(device.scene("overview", of: Self.clownTown)?.lastActivated == Timestamp(milliseconds: 2))
        #expect(device.scene("left", of: "com.example.notes")?.lastActivated == nil)
    }

    @Test mutating func disconnectedScenesOfOtherAppsStayDisconnected() {
        _ = device.deliverAndOpen(.example(about: "crusty"), at: Self.now)
        #expect(device.scene("only", of: "com.example.camera")?.state == .disconnected)
    }

    @Test mutating func openingWithoutAnIdentifierUsesTheForegroundScene() throws {
        let opened = try #require(device.deliverAndOpen(.example(), at: Self.now).opened)
        #expect(opened.scene == "overview")
        #expect(opened.decision?.reason == .noIdentifier)
    }

    @Test mutating func openingWithoutAnIdentifierUsesTheMostRecentlyActivatedScene() throws {
        let app = AppDescription(
            bundleIdentifier: Self.clownTown,
            scenes: [.example("A"), .example("B", at: 5), .example("C", at: 9), .example("D", at: 7)]
        )
        device = try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
        #expect(device.deliverAndOpen(.example(), at: Self.now).opened?.scene == "C")
    }

    @Test mutating func openingWithoutAnIdentifierUsesThePreviouslyOpenedScene() throws {
        _ = device.deliverAndOpen(.example("n1", for: "com.example.notes", about: "note/1"), at: Self.now)
        _ = device.deliverAndOpen(.example("n2"), at: Timestamp(milliseconds: 200))
        let effects = device.deliverAndOpen(.example("n3", for: "com.example.notes"), at: Timestamp(milliseconds: 300))
        #expect(effects.opened?.scene == "left")
    }

    @Test(.proves("T1")) mutating func singleSceneAppOpensItsSceneForAnyContent() throws {
        let notification = DeliveredNotification.example(for: "com.example.camera", about: "crusty")
        let opened = try #require(device.deliverAndOpen(notification, at: Self.now).opened)
        #expect(opened.scene == "only")
        #expect(opened.decision?.reason == .singleScene)
        #expect(device.foreground == ["only"])
    }

    @Test mutating func openingAnUnknownNotificationDoesNothing() {
        #expect(
            device.apply(.notification(.notificationOpened("unknown")), at: Self.now).effects == [
                .scene(.nothingToOpen("unknown"))
            ]
        )
        #expect(device.description == .example)
        #expect(device.notifications.isEmpty)
    }

    @Test mutating func openingTwiceKeepsTheTimeOfTheFirstOpening() throws {
        _ = device.deliverAndOpen(.example("n1", about: "crusty"), at: Self.now)
        let again = try #require(
            device.apply(.notification(.notificationOpened("n1")), at: Timestamp(milliseconds: 200)).effects.opened
        )
        #expect(again.notification?.openedAt == Self.now)
        #expect(device.notifications.map(\.openedAt) == [Self.now])
        #expect(device.scene("crusty", of: Self.clownTown)?.lastActivated == Timestamp(milliseconds: 200))
    }
}
