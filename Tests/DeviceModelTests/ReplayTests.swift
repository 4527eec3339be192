import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// Invariants that hold for every random sequence of events.
@Suite struct ReplayTests {
    private struct Step {
        var event: DeviceEvent
        var now: Timestamp
    }

    private static let seeds = Trials.seeds(4, from: 1)
    private static let rounds = 20

    @Test(arguments: seeds)
    func sameEventsGiveTheSameDeviceAndEffects(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let walk = Self.walk(using: &generator)
            var (first, second) = (try DeviceModel(.example), try DeviceModel(.example))
            let comment: Comment = "seed \(seed), round \(round)"
            for step in walk {
                #expect(first.apply(step.event, at: step.now) == second.apply(step.event, at: step.now), comment)
            }
            #expect(first.description == second.description, comment)
            #expect(first.notifications == second.notifications, comment)
        }
    }

    @Test(arguments: seeds)
    func eventsOnACopyLeaveTheDeviceUnchanged(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let device = try DeviceModel(.example)
        var copy = device
        for step in Self.walk(using: &generator) { _ = copy.apply(step.event, at: step.now) }
        #expect(device.description == .example)
        #expect(device.notifications.isEmpty)
    }

    @Test(.proves("T4"), arguments: seeds)
    func openedSceneIsTheOnlyForegroundScene(seed: UInt64) throws {
        try walk(seed: seed) { device, step, effects, comment in
            guard let opened = effects.opened else { return }
            #expect(device.foreground == [opened.scene], comment)
            let scene = device.scene(opened.scene, of: opened.app)
            #expect(scene?.state == .foregroundActive, comment)
            #expect(scene?.lastActivated == step.now, comment)
        }
    }

    @Test(.proves("T8"), arguments: seeds)
    func everyEventHasOneEffect(seed: UInt64) throws {
        try walk(seed: seed) { _, _, effects, comment in
            #expect(effects.count == 1, comment)
        }
    }

    @Test(arguments: seeds)
    func notificationsAndScenesAreUnique(seed: UInt64) throws {
        try walk(seed: seed) { device, _, _, comment in
            let identifiers = device.notifications.map(\.id)
            #expect(Set(identifiers).count == identifiers.count, comment)
            for app in device.description.apps {
                let scenes = app.scenes.map(\.persistentIdentifier)
                #expect(Set(scenes).count == scenes.count, comment)
            }
        }
    }

    @Test(.proves("T36"), arguments: seeds)
    func deviceFromTheDescriptionBehavesIdentically(seed: UInt64) throws {
        try walk(seed: seed) { device, step, _, comment in
            var (continued, restored) = (device, try DeviceModel(device.description))
            let probe = DeliveredNotification.example("probe", for: "com.example.notes", about: "note/2")
            let expected = Self.withoutNumbers(continued.deliverAndOpen(probe, at: step.now))
            #expect(Self.withoutNumbers(restored.deliverAndOpen(probe, at: step.now)) == expected, comment)
        }
    }

    /// Activations have the numbers of events, and a device that is made from a description counts its events from the start.
    private static func withoutNumbers(_ effects: [DeviceEffect]) -> [DeviceEffect] {
        effects.map { effect in
            guard case .scene(.sceneActivated(var opened)) = effect else { return effect }
            opened.activation.number = 0
            return .scene(.sceneActivated(opened))
        }
    }

    private func walk(
        seed: UInt64,
        _ check: (DeviceModel, Step, [DeviceEffect], Comment) throws -> Void
    ) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            var device = try DeviceModel(.example)
            for step in Self.walk(using: &generator) {
                let effects = device.apply(step.event, at: step.now).effects
                try check(device, step, effects, "seed \(seed), round \(round), \(step)")
            }
        }
    }

    /// Returns events in which notifications are repeated, opened before delivery, or for apps that are not installed.
    private static func walk(using generator: inout SeededGenerator) -> [Step] {
        var milliseconds = 10
        return (0..<30).map { _ in
            milliseconds += Int.random(in: 0...5, using: &generator)
            return Step(event: event(using: &generator), now: Timestamp(milliseconds: milliseconds))
        }
    }

    private static func event(using generator: inout SeededGenerator) -> DeviceEvent {
        let id = NotificationID(rawValue: "n\(Int.random(in: 0..<12, using: &generator))")
        guard Bool.random(using: &generator) else { return .notification(.notificationOpened(id)) }
        let topics = ["camera", "clowntown", "notes", "notes", "absent"]
        let topic = Topic(rawValue: "com.example." + (topics.randomElement(using: &generator) ?? "notes"))
        let content = [nil, "", "crusty", "note/1", "note/2", "note/3", "photo/1"].randomElement(using: &generator)
        return .notification(.notificationDelivered(.example(id, for: topic, about: content ?? nil)))
    }
}
