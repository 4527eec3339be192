import GatewayStore
import Testing
import WaypostSchema

/// Tests of the storage mode `apns` with devices that are reachable until their streams end.
@Suite struct StreamEndTests {
    @Test(arguments: StoreEngine.allCases)
    func reachableDeviceReceivesEveryNotification(_ engine: StoreEngine) async throws {
        try await engine.runExample(storage: .apns) { example in
            let taken = try await example.take(
                .example("n1", collapseID: "crusty"),
                .example("n2", collapseID: "crusty"),
                .example("n3"),
                connected: [example.home]
            )
            #expect(taken.changes.tally == Tally())
            #expect(try await example.inbox() == ["n1", "n2", "n3"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func newestNotificationRemainsWhenTheStreamEnds(_ engine: StoreEngine) async throws {
        try await engine.runExample(storage: .apns) { example in
            let taken = try await example.take(
                .example("n1"),
                .example("n2"),
                .example("p1", to: "phone"),
                .example("p2", to: "phone"),
                .example("notes 1", for: "notes"),
                .example("notes 2", for: "notes"),
                .example("away 1", to: "laptop"),
                .example("away 2", to: "laptop"),
                connected: [example.home, example.away]
            )
            let changes = try await example.disconnect()
            #expect(changes.tally == Tally(removedByState: [.collapsed: 2], batches: [taken.number]))
            #expect(try await example.inbox() == ["n2", "p2", "notes 1", "notes 2"])
            #expect(try await example.inbox(example.away) == ["away 1", "away 2"])
            #expect(try await example.disconnect() == StoreChanges())
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func remainingNotificationHasTheSlot(_ engine: StoreEngine) async throws {
        try await engine.runExample(storage: .apns) { example in
            try await example.take(.example("n1"), .example("n2", collapseID: "dusty"), connected: [example.home])
            try await example.disconnect()
            try await example.take(.example("n3"), as: "later")
            #expect(try await example.inbox() == ["n3"])
            #expect(try await example.states() == [.collapsed: 2])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func acknowledgedNotificationDoesNotReplaceTheNewest(_ engine: StoreEngine) async throws {
        try await engine.runExample(storage: .apns) { example in
            try await example.take(.example("n1"), .example("n2"), .example("n3"), connected: [example.home])
            try await example.acknowledge("n3")
            try await example.disconnect()
            #expect(try await example.inbox() == ["n2"])
            #expect(try await example.states() == [.stored: 1, .collapsed: 1, .acknowledged: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationFromBeforeTheStreamIsReplaced(_ engine: StoreEngine) async throws {
        try await engine.runExample(storage: .apns) { example in
            try await example.take(.example("n1"), as: "before")
            try await example.take(.example("n2"), .example("n3"), as: "during", connected: [example.home])
            #expect(try await example.inbox() == ["n1", "n2", "n3"])
            try await example.disconnect()
            #expect(try await example.inbox() == ["n3"])
            #expect(try await example.states(of: "before") == [.collapsed: 1])
        }
    }
}
