import GatewayStore
import Testing
import WaypostSchema

@Suite struct CollapseTests {
    /// Runs `body` on an example whose tablet has a notification with the collapse identifier `crusty`.
    private func run(_ engine: StoreEngine, _ body: (ExampleStore) async throws -> Void) async throws {
        try await engine.runExample { example in
            try await example.take(.example("old", collapseID: "crusty"), as: "old")
            try await body(example)
        }
    }

    @Test(arguments: StoreEngine.allCases, [false, true])
    func newestNotificationTakesTheSlot(_ engine: StoreEngine, isConnected: Bool) async throws {
        try await run(engine) { example in
            let connected: Set<AgentID> = isConnected ? [example.home] : []
            try await example.take(.example("new", collapseID: "crusty"), as: "new", connected: connected)
            #expect(try await example.inbox() == ["new"])
            #expect(try await example.states(of: "old") == [.collapsed: 1])
            #expect(try await example.states(of: "new") == [.stored: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func newestNotificationIsReadAfterTheOldOne(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let old = try await example.sequence(of: "old")
            try await example.take(.example("new", collapseID: "crusty"), as: "new")
            #expect(try await example.page(after: old) == ["new"])
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            NewNotification.example("new", collapseID: "dusty"),
            .example("new", collapseID: "Crusty"),
            .example("new", collapseID: nil),
            .example("new", for: "notes", collapseID: "crusty"),
            .example("new", to: "phone", collapseID: "crusty"),
        ]
    )
    func otherSlotIsUnaffected(_ engine: StoreEngine, _ notification: NewNotification) async throws {
        try await run(engine) { example in
            try await example.take(notification, as: "new")
            #expect(try await example.inbox() == ["old", "new"])
            #expect(try await example.states(of: "old") == [.stored: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func slotOfAnotherAgentIsUnaffected(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(.example("new", to: "laptop", collapseID: "crusty"), as: "new")
            #expect(try await example.inbox() == ["old"])
            #expect(try await example.inbox(example.away) == ["new"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationsWithoutIdentifierDoNotCollapse(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(.example("n1"), .example("n2"))
            #expect(try await example.inbox() == ["old", "n1", "n2"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func emptyIdentifierIsAnIdentifier(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(.example("n1", collapseID: ""), .example("n2", collapseID: ""))
            #expect(try await example.inbox() == ["old", "n2"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func acknowledgedNotificationIsNotCollapsedLater(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.acknowledge("old")
            let appended = try await example.take(.example("new", collapseID: "crusty"), as: "new")
            #expect(appended.changes.tally == Tally())
            #expect(try await example.states(of: "old") == [.acknowledged: 1])
            #expect(try await example.inbox() == ["new"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func acknowledgingTheOldNotificationLeavesTheSlotToTheNewOne(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let old = try await example.sequence(of: "old")
            try await example.take(.example("new", collapseID: "crusty"), as: "new")
            #expect(try await example.store.acknowledge(example.home, [old]) == StoreChanges())
            try await example.take(.example("newest", collapseID: "crusty"), as: "newest")
            #expect(try await example.inbox() == ["newest"])
            #expect(try await example.states(of: "old") == [.collapsed: 1])
            #expect(try await example.states(of: "new") == [.collapsed: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func twoNotificationsOfOneBatchCollapse(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            let old = try await example.sequence(of: "old")
            let appended = try await example.take(
                .example("n1", collapseID: "dusty"),
                .example("n2"),
                .example("n3", collapseID: "dusty")
            )
            #expect(
                appended.changes.tally
                    == Tally(removedByState: [.collapsed: 1], batches: [appended.number])
            )
            #expect(try await example.inbox() == ["old", "n2", "n3"])
            #expect(try await example.states() == [.stored: 2, .collapsed: 1])
            // The notification that was collapsed immediately had its own sequence.
            let departed = try #require(appended.changes.removals.first?.sequence)
            let second = try await example.sequence(of: "n2")
            #expect(old < departed && departed < second)
        }
    }

    /// Otherwise, the device would receive neither notification.
    @Test(arguments: StoreEngine.allCases, [(0, .dropped), (99, .expired)] as [(Int, DeliveryState)])
    func unstoredNotificationLeavesTheSlotUnchanged(
        _ engine: StoreEngine,
        _ gone: (expiration: Int, state: DeliveryState)
    ) async throws {
        try await run(engine) { example in
            try await example.take(.example("gone", expiration: gone.expiration, collapseID: "crusty"), as: "gone")
            #expect(try await example.inbox() == ["old"])
            #expect(try await example.states(of: "old") == [.stored: 1])
            #expect(try await example.states(of: "gone") == [gone.state: 1])
            try await example.take(.example("new", collapseID: "crusty"), as: "new")
            #expect(try await example.inbox() == ["new"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func refusedNotificationTakesNoSlot(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.take(.example("new", for: "photos", collapseID: "crusty"), as: "new")
            try await example.take(.example("newer", to: "nobody", collapseID: "crusty"), as: "newer")
            #expect(try await example.inbox() == ["old"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func slotIsFreeWhenTheTopicIsAcceptedAgain(_ engine: StoreEngine) async throws {
        try await run(engine) { example in
            try await example.change("tablet", .topics(["notes"]))
            try await example.change("tablet", .topics(["clowns"]))
            let appended = try await example.take(.example("new", collapseID: "crusty"), as: "new")
            #expect(appended.changes.tally == Tally())
            #expect(try await example.states(of: "old") == [.unregistered: 1])
        }
    }

    /// An expired notification keeps its slot until a sweep removes it.
    @Test(arguments: StoreEngine.allCases)
    func expiredNotificationIsCollapsedBeforeTheSweep(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("old", expiration: 200, collapseID: "crusty"), as: "old")
            try await example.take(.example("new", collapseID: "crusty"), as: "new", at: .seconds(300))
            #expect(try await example.states(of: "old") == [.collapsed: 1])
            #expect(try await example.expire(at: 300) == StoreChanges())
            #expect(try await example.inbox() == ["new"])
        }
    }
}
