import DeviceModel
import Testing
import WaypostSchema

/// The lifetime of activations that no process takes.
@Suite struct WaitingActivationTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let notes: BundleIdentifier = "com.example.notes"
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
        device.go(
            through: .scene(.sceneBroughtForward(Self.clownTown, "crusty", nil)),
            .scene(.appOpened(Self.notes)),
            .scene(.sceneBroughtForward(Self.clownTown, "overview", nil)),
            .scene(.sceneBroughtForward(Self.clownTown, "crusty", nil))
        )
    }

    private func numbers(of app: BundleIdentifier = Self.clownTown) -> [Int] {
        device.activations(of: app).map(\.number)
    }

    @Test func activationsOfAnAppAreInOrder() {
        #expect(numbers() == [1, 3, 4])
        #expect(device.activations(of: Self.clownTown).map(\.scene) == ["crusty", "overview", "crusty"])
        #expect(numbers(of: Self.notes) == [2])
        #expect(numbers(of: "com.example.absent").isEmpty)
    }

    @Test mutating func activationsCanBeTakenInAnyOrder() {
        device.go(through: .scene(.activationTaken(Self.clownTown, number: 3)))
        #expect(numbers() == [1, 4])
        device.go(through: .scene(.activationTaken(Self.clownTown, number: 1)))
        #expect(numbers() == [4])
    }

    @Test(
        arguments: [
            (.scene(.activationTaken("com.example.clowntown", number: 2)), .unknownActivation),
            (.scene(.activationTaken("com.example.clowntown", number: 0)), .unknownActivation),
            (.scene(.activationTaken("com.example.notes", number: 1)), .unknownActivation),
            (.scene(.activationTaken("com.example.absent", number: 1)), .unknownApp),
        ] as [(DeviceEvent, IgnoredEvent.Reason)]
    )
    mutating func unknownActivationCannotBeTaken(_ event: DeviceEvent, _ reason: IgnoredEvent.Reason) {
        let effects = device.go(through: event)
        #expect(effects.refusal?.reason == reason)
        #expect(numbers() == [1, 3, 4])
        #expect(numbers(of: Self.notes) == [2])
    }

    @Test mutating func closingASceneRemovesItsActivations() {
        device.go(through: .scene(.sceneClosed(Self.clownTown, "crusty")))
        #expect(numbers() == [3])
        #expect(numbers(of: Self.notes) == [2])
    }

    @Test(
        arguments: [
            .scene(.sceneBackgrounded(clownTown, "crusty")), .scene(.sceneDisconnected(clownTown, "crusty")),
        ] as [DeviceEvent]
    )
    mutating func activationsOutliveBackgroundingAndDisconnection(_ event: DeviceEvent) {
        device.go(through: event)
        #expect(device.foreground.isEmpty)
        #expect(numbers() == [1, 3, 4])
    }

    private static let versions: [DeviceEvent] = [
        .system(.appRemoved(clownTown)),
        .system(.appInstalled(AppDescription(bundleIdentifier: clownTown, scenes: [.example("crusty")]))),
        .system(.deviceDescribed(.example)),
        .system(.deviceDescribed(DeviceDescription(name: "tablet", apps: []))),
    ]

    @Test(arguments: versions)
    mutating func removingOrReplacingTheAppRemovesItsActivations(_ event: DeviceEvent) {
        device.go(through: event)
        #expect(numbers().isEmpty)
        device.go(through: .system(.appInstalled(AppDescription(bundleIdentifier: Self.clownTown, scenes: []))))
        #expect(numbers().isEmpty)
    }

    @Test(
        arguments: [
            .notification(.notificationOpened("absent")), .scene(.shortcutItemPerformed(clownTown, type: "absent")),
            .scene(.urlOpened("https://clowntown.example/", from: nil)), .scene(.urlOpened("crusty", from: nil)),
            .scene(.sceneCreated("com.example.camera", nil)), .scene(.sceneBroughtForward(clownTown, "absent", nil)),
            .scene(.sceneBackgrounded(clownTown, "overview")), .system(.timePassed),
        ] as [DeviceEvent]
    )
    mutating func eventThatOpensNoSceneAddsNoActivation(_ event: DeviceEvent) {
        device.go(through: event)
        #expect(numbers() == [1, 3, 4])
        #expect(numbers(of: Self.notes) == [2])
        #expect(numbers(of: "com.example.camera").isEmpty)
    }
}
