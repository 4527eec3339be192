import GatewayStore
import Testing
import WaypostSchema

/// Notifications of priority 5 and 1 wait while a device says that power is short.
@Suite struct PowerTests {
    /// Runs `body` on an example whose tablet is short of power and has a notification of each priority.
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
    func deviceIsKnownToBeShortOfPower(_ engine: StoreEngine) async throws {
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
    func whatWaitsIsNotRead(_ engine: StoreEngine) async throws {
        try await run(engine) { example async throws in
            #expect(try await example.page() == ["n10", "phone"])
            #expect(try await example.states() == [.stored: 4])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func whatComesMeanwhileWaitsToo(_ engine: StoreEngine) async throws {
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
    func whatWaitedIsReadOncePowerIsBack(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let changes = try await example.change("tablet", .power(isLowPowerModeEnabled: false)).changes
            #expect(changes.tally == Tally(agents: [example.home]))
            #expect(try await example.page() == ["n1", "n5", "n10", "phone"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func beingShortOfPowerChangesNoInbox(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let changes = try await example.change("tablet", .power(isLowPowerModeEnabled: true)).changes
            #expect(changes == StoreChanges())
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func whatWaitsExpires(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(.example("brief", priority: 5, expiration: 200), as: "brief")
            #expect(try await example.expire(at: 200).tally.left == [.expired: 1])
            try await example.change("tablet", .power(isLowPowerModeEnabled: false))
            #expect(try await example.page() == ["n1", "n5", "n10", "phone"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func whatWaitsCollapses(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(.example("old", priority: 5, collapseID: "crusty"), as: "old")
            try await example.take(.example("new", priority: 1, collapseID: "crusty"), as: "new")
            #expect(try await example.states(of: "old") == [.collapsed: 1])
            #expect(try await example.states(of: "new") == [.stored: 1])
        }
    }

    /// It may have been sent before power became short.
    @Test(arguments: StoreEngine.allCases)
    func whatWaitsCanBeAcknowledged(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n5", priority: 5))
            let sequence = try await example.sequence(of: "n5")
            try await example.change("tablet", .power(isLowPowerModeEnabled: true))
            let changes = try await example.store.acknowledge(example.home, [sequence])
            #expect(changes.tally.left == [.acknowledged: 1])
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
    func registeringAgainLeavesThePowerAsItWas(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            _ = try await example.store.join("tablet", .home)
            #expect(try await example.page() == ["n10", "phone"])
        }
    }
}
