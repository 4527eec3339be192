import DeviceModel
import Testing
import WaypostSchema

/// The events that a process of an app receives about its scenes.
@Suite struct AppProcessNewsTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let notes: BundleIdentifier = "com.example.notes"
    private var device: DeviceModel
    private var process: AppProcess

    init() throws {
        device = try DeviceModel(.example)
        process = AppProcess(of: Self.clownTown)
    }

    private mutating func news() -> [AppEvent] {
        process.newEvents(on: device)
    }

    /// Returns the connection of a scene in its current state.
    private func connection(_ scene: SceneIdentifier, _ activations: [SceneActivation] = []) throws -> AppEvent {
        let session = try #require(device.scene(scene, of: Self.clownTown))
        let method = "scene(_:willConnectTo:options:)"
        return .sceneConnected(ConnectedScene(session: session, connectionOptions: activations, method: method))
    }

    @Test mutating func coldLaunchHasItsActivationInTheConnectionOptions() throws {
        _ = device.deliverAndOpen(.example(about: "crusty"), at: Timestamp(milliseconds: 100))
        let activations = device.activations(of: Self.clownTown)
        #expect(activations.map(\.notification?.id) == ["n1"])
        var repeated = try #require(activations.first)
        repeated.method = "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        let connected: [AppEvent] = [try connection("crusty", activations), .sceneActivated(repeated)]
        let first = news()
        #expect(first == connected + AppEvent.arrival("crusty"))
    }

    @Test mutating func connectionOptionsHaveActivationsInOrder() throws {
        device.go(
            through: .scene(.sceneBroughtForward(Self.clownTown, "crusty", nil)),
            .scene(.sceneBroughtForward(Self.clownTown, "overview", nil)),
            .scene(.sceneBroughtForward(Self.clownTown, "crusty", nil))
        )
        let expected = [
            try connection("overview", [SceneActivation(number: 2, scene: "overview")]),
            try connection(
                "crusty",
                [SceneActivation(number: 1, scene: "crusty"), SceneActivation(number: 3, scene: "crusty")]
            ),
        ]
        let first = news()
        #expect(first == expected + AppEvent.arrival("crusty"))
    }

    @Test mutating func runningAppReceivesAnActivationAsAnEvent() throws {
        let expected = [try connection("overview")]
        let first = news()
        #expect(first == expected + AppEvent.arrival("overview"))
        device.go(through: .scene(.appOpened(Self.clownTown)))
        let second = news()
        #expect(second == [.sceneActivated(SceneActivation(number: 1, scene: "overview"))])
    }

    /// The scene in front resigns before the other one is called, and leaves the screen after it.
    @Test mutating func sceneComesBetweenTheCallsOfTheOneThatItReplaces() throws {
        _ = news()
        device.go(through: .scene(.sceneBroughtForward(Self.clownTown, "crusty", nil)))
        let connected = [try connection("crusty", [SceneActivation(number: 1, scene: "crusty")])]
        let overview = AppEvent.departure("overview")
        let second = news()
        #expect(second == [overview[0]] + connected + AppEvent.arrival("crusty") + [overview[1]])
        device.go(through: .scene(.sceneBroughtForward(Self.clownTown, "overview", nil)))
        let activated = AppEvent.sceneActivated(SceneActivation(number: 2, scene: "overview"))
        let crusty = AppEvent.departure("crusty")
        let third = news()
        #expect(third == [crusty[0]] + AppEvent.arrival("overview") + [activated, crusty[1]])
    }

    @Test mutating func sceneGoesToTheBackgroundWithItsApp() {
        _ = news()
        device.go(through: .scene(.appOpened(Self.notes)))
        let second = news()
        #expect(second == AppEvent.departure("overview"))
    }

    @Test mutating func disconnectedSceneIsConnectedAgainWithItsRestorationActivity() throws {
        _ = news()
        let activity = UserActivity(activityType: "clown", userInfo: .object(["page": .integer(2)]))
        device.go(
            through: .scene(.restorationActivitySet(Self.clownTown, "overview", activity)),
            .scene(.sceneDisconnected(Self.clownTown, "overview"))
        )
        let second = news()
        #expect(second == AppEvent.departure("overview") + AppEvent.disconnection("overview"))
        device.go(through: .scene(.sceneBroughtForward(Self.clownTown, "overview", nil)))
        #expect(device.scene("overview", of: Self.clownTown)?.stateRestorationActivity == activity)
        let restored = RestoredInteractionState(
            scene: "overview",
            stateRestorationActivity: activity,
            method: "scene(_:restoreInteractionStateWith:)"
        )
        let expected = [
            try connection("overview", [SceneActivation(number: 3, scene: "overview")]),
            .interactionStateRestored(restored),
        ]
        let third = news()
        #expect(third == expected + AppEvent.arrival("overview"))
    }

    @Test mutating func closedSceneIsDiscarded() {
        _ = news()
        device.go(
            through: .scene(.sceneClosed(Self.clownTown, "overview")),
            .scene(.sceneClosed(Self.clownTown, "crusty"))
        )
        let second = news()
        // Crusty's scene was never connected, and its session is discarded, too.
        let overview = AppEvent.departure("overview") + AppEvent.disconnection("overview", isClosed: true)
        #expect(second == AppEvent.discard("crusty") + overview)
        let third = news()
        #expect(third.isEmpty)
    }

    @Test mutating func discardedScenesComeFirstInOrderOfTheirIdentifiers() {
        device.go(
            through: .scene(.sceneCreated(Self.clownTown, nil)),
            .scene(.sceneCreated(Self.clownTown, nil)),
            .scene(.appOpened(Self.notes))
        )
        _ = news()
        device.go(
            through: .scene(.sceneBroughtForward(Self.clownTown, "overview", nil)),
            .scene(.sceneClosed(Self.clownTown, "new-scene-2")),
            .scene(.sceneClosed(Self.clownTown, "new-scene-1"))
        )
        let discarded = Array(news().prefix(4))
        #expect(
            discarded == AppEvent.disconnection("new-scene-1", isClosed: true)
                + AppEvent.disconnection("new-scene-2", isClosed: true)
        )
    }

    @Test mutating func removingTheAppDiscardsItsScenes() {
        _ = news()
        device.go(through: .system(.appRemoved(Self.clownTown)))
        let second = news()
        let overview = AppEvent.departure("overview") + AppEvent.disconnection("overview", isClosed: true)
        #expect(second == AppEvent.discard("crusty") + overview)
    }
}
