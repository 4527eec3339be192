import DeviceModel
import Testing
import WaypostSchema

/// The events that a process of an app receives once, and the activations that wait for the next process.
@Suite struct AppProcessLaunchTests {
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

    /// Returns the scenes that events connect, with the numbers of their activations.
    private func connections(_ events: [AppEvent]) -> [SceneIdentifier: [Int]] {
        events.reduce(into: [:]) { connections, event in
            guard case .sceneConnected(let scene) = event else { return }
            connections[scene.session.persistentIdentifier] = scene.connectionOptions.map(\.number)
        }
    }

    private static let steps: [DeviceEvent] = [
        .system(.timePassed), .scene(.appOpened(clownTown)), .scene(.sceneBroughtForward(clownTown, "crusty", nil)),
        .scene(.sceneCreated(clownTown, nil)), .scene(.sceneBackgrounded(clownTown, "new-scene-1")),
        .scene(.sceneDisconnected(clownTown, "crusty")), .scene(.sceneClosed(clownTown, "overview")),
        .scene(.appOpened(notes)),
        .system(.appRemoved(clownTown)),
    ]

    @Test mutating func noEventIsSentTwice() {
        for step in Self.steps {
            device.go(through: step)
            _ = news()
            let again = news()
            #expect(again.isEmpty, "after \(step)")
        }
    }

    @Test(
        arguments: [
            .scene(.activationConditionsSet(clownTown, "overview", ActivationConditions())),
            .scene(.restorationActivitySet(clownTown, "overview", UserActivity(activityType: "clown"))),
            .scene(.shortcutItemsSet(clownTown, [])),
            .scene(.sceneBackgrounded(notes, "left")),
            .notification(.notificationDelivered(.example(about: "crusty"))),
        ] as [DeviceEvent]
    )
    mutating func changeThatMovesNoConnectedSceneSendsNoEvent(_ event: DeviceEvent) {
        _ = news()
        device.go(through: event)
        let second = news()
        #expect(second.isEmpty)
    }

    @Test mutating func newProcessConnectsOnlyForegroundScenes() {
        process = AppProcess(of: Self.notes)
        let first = news()
        let expected: [SceneIdentifier: [Int]] = ["left": []]
        #expect(connections(first) == expected)
    }

    @Test mutating func backgroundSceneIsConnectedWhenItHasAnActivation() {
        process = AppProcess(of: Self.notes)
        _ = news()
        device.go(through: .scene(.sceneBroughtForward(Self.notes, "right", nil)), .scene(.appOpened(Self.clownTown)))
        let second = news()
        #expect(connections(second) == ["right": [1]])
        guard case .sceneConnected(let scene) = second.first else {
            Issue.record("\(second)")
            return
        }
        #expect(scene.session.state == .background)
        #expect(Array(second.dropFirst()) == Array(AppEvent.departure("left").dropFirst()))
    }

    @Test mutating func backgroundSceneIsNotConnectedForATakenActivation() {
        process = AppProcess(of: Self.notes)
        device.go(
            through: .scene(.sceneBroughtForward(Self.notes, "right", nil)),
            .scene(.appOpened(Self.clownTown)),
            .scene(.activationTaken(Self.notes, number: 1))
        )
        let first = news()
        #expect(first.isEmpty)
    }

    @Test mutating func eachProcessReceivesTheActivationsNotYetTaken() {
        device.go(through: .scene(.appOpened(Self.clownTown)), .scene(.appOpened(Self.clownTown)))
        for _ in 0..<2 {
            process = AppProcess(of: Self.clownTown)
            let first = news()
            #expect(connections(first) == ["overview": [1, 2]])
        }
        device.go(through: .scene(.activationTaken(Self.clownTown, number: 1)))
        process = AppProcess(of: Self.clownTown)
        let first = news()
        #expect(connections(first) == ["overview": [2]])
    }

    /// The first activation could not be delivered while the scene was disconnected.
    @Test mutating func activationOfADisconnectedSceneIsDeliveredOnConnection() {
        device.go(
            through: .scene(.sceneBroughtForward(Self.clownTown, "crusty", nil)),
            .scene(.sceneDisconnected(Self.clownTown, "crusty"))
        )
        let first = news()
        #expect(first.isEmpty)
        device.go(through: .scene(.sceneBroughtForward(Self.clownTown, "crusty", nil)))
        let second = news()
        #expect(connections(second) == ["crusty": [1, 3]])
    }

    /// The new scene has the same identifier, because closing the old scene made it available again.
    @Test mutating func sceneThatReplacesAClosedSceneIsConnected() {
        device.go(through: .scene(.sceneCreated(Self.clownTown, nil)))
        _ = news()
        device.go(
            through: .scene(.sceneClosed(Self.clownTown, "new-scene-1")),
            .scene(.sceneCreated(Self.clownTown, nil))
        )
        let second = news()
        let discarded = AppEvent.departure("new-scene-1") + AppEvent.disconnection("new-scene-1", isClosed: true)
        #expect(Array(second.prefix(4)) == discarded)
        #expect(connections(second) == ["new-scene-1": [3]])
        #expect(Array(second.suffix(2)) == AppEvent.arrival("new-scene-1"))
    }

    /// The scene lost its memory, even though the process was not notified in between.
    @Test mutating func sceneDisconnectedInBetweenIsConnectedAgain() {
        _ = news()
        device.go(
            through: .scene(.sceneDisconnected(Self.clownTown, "overview")),
            .scene(.sceneBroughtForward(Self.clownTown, "overview", nil))
        )
        let second = news()
        #expect(Array(second.prefix(3)) == AppEvent.departure("overview") + AppEvent.disconnection("overview"))
        #expect(connections(second) == ["overview": [2]])
        #expect(Array(second.dropFirst(4)) == AppEvent.arrival("overview"))
    }

    @Test func restoringTheDeviceDetachesProcesses() {
        #expect(DeviceEffect.system(.deviceRestored).appEvent(for: Self.clownTown) == .detached(.restored))
    }

    @Test mutating func activationIsNotAnEventOfAnEffect() {
        for event in [.scene(.appOpened(Self.clownTown)), .scene(.sceneClosed(Self.clownTown, "overview"))]
            as [DeviceEvent]
        {
            let effects = device.go(through: event)
            #expect(effects.compactMap { $0.appEvent(for: Self.clownTown) }.isEmpty)
        }
    }
}
