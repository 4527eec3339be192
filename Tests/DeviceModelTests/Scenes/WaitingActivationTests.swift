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
            through: .sceneBroughtForward(Self.clownTown, "crusty", nil),
            .appOpened(Self.notes),
            .sceneBroughtForward(Self.clownTown, "overview", nil),
            .sceneBroughtForward(Self.clownTown, "crusty", nil)
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
        device.go(through: .activationTaken(Self.clownTown, number: 3))
        #expect(numbers() == [1, 4])
        device.go(through: .activationTaken(Self.clownTown, number: 1))
        #expect(numbers() == [4])
    }

    @Test(
        arguments: [
            (.activationTaken("com.example.clowntown", number: 2), .unknownActivation),
            (.activationTaken("com.example.clowntown", number: 0), .unknownActivation),
            (.activationTaken("com.example.notes", number: 1), .unknownActivation),
            (.activationTaken("com.example.absent", number: 1), .unknownApp),
        ] as [(DeviceEvent, IgnoredEvent.Reason)]
    )
    mutating func unknownActivationCannotBeTaken(_ event: DeviceEvent, _ reason: IgnoredEvent.Reason) {
        let effects = device.go(through: event)
        #expect(effects.refusal?.reason == reason)
        #expect(numbers() == [1, 3, 4])
        #expect(numbers(of: Self.notes) == [2])
    }

    @Test mutating func closingASceneRemovesItsActivations() {
        device.go(through: .sceneClosed(Self.clownTown, "crusty"))
        #expect(numbers() == [3])
        #expect(numbers(of: Self.notes) == [2])
    }

    @Test(
        arguments: [
            .sceneBackgrounded(clownTown, "crusty"), .sceneDisconnected(clownTown, "crusty"),
        ] as [DeviceEvent]
    )
    mutating func activationsOutliveBackgroundingAndDisconnection(_ event: DeviceEvent) {
        device.go(through: event)
        #expect(device.foreground.isEmpty)
        #expect(numbers() == [1, 3, 4])
    }

    private static let versions: [DeviceEvent] = [
        .appRemoved(clownTown),
        .appInstalled(AppDescription(bundleIdentifier: clownTown, scenes: [.example("crusty")])),
        .deviceDescribed(.example),
        .deviceDescribed(DeviceDescription(name: "tablet", apps: [])),
    ]

    @Test(arguments: versions)
    mutating func removingOrReplacingTheAppRemovesItsActivations(_ event: DeviceEvent) {
        device.go(through: event)
        #expect(numbers().isEmpty)
        device.go(through: .appInstalled(AppDescription(bundleIdentifier: Self.clownTown, scenes: [])))
        #expect(numbers().isEmpty)
    }

    @Test(
        arguments: [
            .notificationOpened("absent"), .shortcutItemPerformed(clownTown, type: "absent"),
            .urlOpened("https://clowntown.example/", from: nil), .urlOpened("crusty", from: nil),
            .sceneCreated("com.example.camera", nil), .sceneBroughtForward(clownTown, "absent", nil),
            .sceneBackgrounded(clownTown, "overview"), .timePassed,
        ] as [DeviceEvent]
    )
    mutating func eventThatOpensNoSceneAddsNoActivation(_ event: DeviceEvent) {
        device.go(through: event)
        #expect(numbers() == [1, 3, 4])
        #expect(numbers(of: Self.notes) == [2])
        #expect(numbers(of: "com.example.camera").isEmpty)
    }
}
