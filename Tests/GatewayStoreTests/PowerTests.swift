import GatewayStore
import Testing
import WaypostSchema

/// Tests of low power mode, in which a device's notifications of priority 5 and 1 wait.
@Suite struct PowerTests {
    /// Runs `body` on an example whose tablet is in low power mode and has a notification of each priority.
    private func run(_ engine: StoreEngine, _ body: (ExampleStore) async throws -> Void) async throws {
        try await engine.runExample { example in
            try await example.take(
                .example("n1", priority: 1),
                .example("n5", priority: 5),
                .example("n10", priority: 10),
                .example("phone", to: "phone", priority: 5)
            )
            try await example.change("tablet", .power(isLowPowerModeEnabled: true))
            try await body(example)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func lowPowerModeOfADeviceIsStored(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            for isLowPowerModeEnabled in [true, true, false] {
                let changed = try await example.change("tablet", .power(isLowPowerModeEnabled: isLowPowerModeEnabled))
                #expect(changed.agent == example.home)
                #expect(changed.device.powerConstrained == isLowPowerModeEnabled)
                #expect(changed.device.since == .dawn)
                #expect(try await example.store.device("tablet", in: .standard) == changed.device)
                #expect(try await example.store.device("phone", in: .standard)?.powerConstrained == false)
            }
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func waitingNotificationsAreNotRead(_ engine: StoreEngine) async throws {
        try await run(engine) { example async throws in
            #expect(try await example.page() == ["n10", "phone"])
            #expect(try await example.states() == [.stored: 4])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationsThatArriveMeanwhileWaitToo(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(
                .example("later 5", priority: 5),
                .example("later 10"),
                as: "later",
                connected: [example.home]
            )
            #expect(try await example.page() == ["n10", "phone", "later 10"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func waitingNotificationsAreReadWhenLowPowerModeEnds(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let changes = try await example.change("tablet", .power(isLowPowerModeEnabled: false)).changes
            #expect(changes.tally == Tally(rewinds: [example.home]))
            #expect(try await example.page() == ["n1", "n5", "n10", "phone"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func lowPowerModeChangesNoInbox(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let changes = try await example.change("tablet", .power(isLowPowerModeEnabled: true)).changes
            #expect(changes.tally == Tally(rewinds: [example.home]))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func waitingNotificationExpires(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(.example("brief", priority: 5, expiration: 200), as: "brief")
            #expect(try await example.expire(at: 200).tally.removedByState == [.expired: 1])
            try await example.change("tablet", .power(isLowPowerModeEnabled: false))
            #expect(try await example.page() == ["n1", "n5", "n10", "phone"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func waitingNotificationCollapses(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(.example("old", priority: 5, collapseID: "crusty"), as: "old")
            try await example.take(.example("new", priority: 1, collapseID: "crusty"), as: "new")
            #expect(try await example.states(of: "old") == [.collapsed: 1])
            #expect(try await example.states(of: "new") == [.stored: 1])
        }
    }

    /// The gateway may have sent the notification before low power mode began.
    @Test(arguments: StoreEngine.allCases)
    func waitingNotificationCanBeAcknowledged(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n5", priority: 5))
            let sequence = try await example.sequence(of: "n5")
            try await example.change("tablet", .power(isLowPowerModeEnabled: true))
            let changes = try await example.store.acknowledge(example.home, [sequence])
            #expect(changes.tally.removedByState == [.acknowledged: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases, [(10, true), (5, false), (1, false)])
    func transientNotificationDoesNotWait(_ engine: StoreEngine, _ expected: (priority: Int, isSent: Bool)) async throws
    {
        try await run(engine) { example in
            let appended = try await example.take(
                .example("now", priority: expected.priority, expiration: 0),
                as: "now",
                connected: [example.home]
            )
            #expect(appended.deliveries.count == (expected.isSent ? 1 : 0))
            #expect(try await example.states(of: "now") == [expected.isSent ? .accepted : .dropped: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func registeringAgainKeepsLowPowerMode(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            _ = try await example.store.join("tablet", .home)
            #expect(try await example.page() == ["n10", "phone"])
        }
    }
}
