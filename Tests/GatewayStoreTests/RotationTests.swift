import GatewayStore
import Testing
import WaypostSchema

/// Tests of a device that gets another token.
@Suite struct RotationTests {
    /// Runs `body` on an example whose tablet has two notifications and then gets the token `slate`.
    private func run(
        _ engine: StoreEngine,
        _ body: (_ example: ExampleStore, _ before: [StoredNotification]) async throws -> Void
    ) async throws {
        try await engine.runExample { example in
            try await example.take(
                .example("n1", collapseID: "crusty"),
                .example("p1", to: "phone", collapseID: "crusty"),
                .example("n2")
            )
            let before = try await example.store.stored(example.home)
            let changed = try await example.change("tablet", .rotation(to: "slate"))
            #expect(changed.agent == example.home)
            #expect(changed.changes.tally == Tally(rewinds: [example.home]))
            #expect(changed.device.token == "slate")
            try await body(example, before)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func storedNotificationsMoveToTheNewToken(_ engine: StoreEngine) async throws {
        try await run(engine) { example, before in
            let after = try await example.store.stored(example.home)
            #expect(after.map(\.sequence) == before.map(\.sequence))
            #expect(after.map(\.batch) == before.map(\.batch))
            #expect(after.map(\.notification.token) == ["slate", "phone", "slate"])
            #expect(after.map(\.notification.id) == ["n1", "p1", "n2"])
            #expect(try await example.states() == [.stored: 3])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func collapseSlotsMoveToTheNewToken(_ engine: StoreEngine) async throws {
        try await run(engine) { example, _ in
            try await example.take(.example("n3", to: "slate", collapseID: "crusty"), as: "later")
            #expect(try await example.inbox() == ["p1", "n2", "n3"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func topicSlotMovesToTheNewToken(_ engine: StoreEngine) async throws {
        try await run(engine) { example, _ in
            try await example.setStorage(.apns)
            try await example.change("slate", .rotation(to: "third"))
            try await example.take(.example("n3", to: "third"), as: "later")
            #expect(try await example.inbox() == ["p1", "n3"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func movedNotificationsCanStillLeaveTheInbox(_ engine: StoreEngine) async throws {
        try await run(engine) { example, _ in
            try await example.acknowledge("n1")
            let changes = try await example.change("slate", .standing(.unregistered, since: .noon)).changes
            #expect(changes.tally.removedByState == [.unregistered: 1])
            #expect(try await example.inbox() == ["p1"])
            #expect(try await example.states() == [.stored: 1, .acknowledged: 1, .unregistered: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func oldTokenIsUnregisteredSinceTheRotation(_ engine: StoreEngine) async throws {
        try await run(engine) { example, _ in
            #expect(try await example.refusal("tablet") == .unregistered(since: .noon))
            #expect(try await example.refusal("slate") == nil)
            let old = try await example.store.device("tablet", in: .standard)
            #expect(old?.standing == .unregistered)
            #expect(old?.since == .noon)
            #expect(try await example.store.namespaces().map(\.devices) == [4])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func allPropertiesOfTheDeviceMoveToTheNewToken(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.change("tablet", .topics(["a", "clowns"]))
            try await example.change("tablet", .power(isLowPowerModeEnabled: true))
            try await example.change("tablet", .standing(.expired, since: .seconds(7)))
            let expected = RegisteredDevice(
                token: "slate",
                name: "",
                topics: ["a", "clowns"],
                standing: .expired,
                since: .seconds(7),
                powerConstrained: true
            )
            #expect(try await example.change("tablet", .rotation(to: "slate")).device == expected)
            #expect(try await example.store.device("slate", in: .standard) == expected)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func waitingNotificationsKeepWaiting(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", priority: 5))
            try await example.change("tablet", .power(isLowPowerModeEnabled: true))
            try await example.change("tablet", .rotation(to: "slate"))
            #expect(try await example.page().isEmpty)
            try await example.change("slate", .power(isLowPowerModeEnabled: false))
            #expect(try await example.page() == ["n1"])
        }
    }

    @Test(arguments: StoreEngine.allCases, ["phone", "laptop", "tablet", "gone"] as [DeviceToken])
    func tokenOfAnyDeviceIsTaken(_ engine: StoreEngine, _ token: DeviceToken) async throws {
        try await engine.runExample { example in
            _ = try await example.store.join("gone", .home)
            try await example.change("gone", .standing(.unregistered, since: .noon))
            let before = try await example.store.device(token, in: .standard)
            let outcome = try await example.store.updateDevice(
                "tablet",
                in: .standard,
                with: .rotation(to: token),
                at: .noon
            )
            #expect(outcome == .tokenTaken)
            #expect(try await example.store.device(token, in: .standard) == before)
            #expect(try await example.refusal("tablet") == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func oldTokenCanBeRegisteredAgain(_ engine: StoreEngine) async throws {
        try await run(engine) { example, _ in
            #expect(try await example.store.join("tablet", .away) == example.away)
            try await example.take(.example("n3", collapseID: "crusty"), as: "later")
            #expect(try await example.inbox(example.away) == ["n3"])
            #expect(try await example.inbox() == ["n1", "p1", "n2"])
        }
    }
}
