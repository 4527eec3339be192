import GatewayStore
import Testing
import WaypostSchema

/// Tests of the effect of a storage mode change on stored notifications.
@Suite struct StorageChoiceTests {
    @Test(arguments: StoreEngine.allCases)
    func modesAreListedByTopic(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            #expect(try await example.store.apps(in: .standard).isEmpty)
            for topic in ["notes", "b", "clowns", "a"] as [Topic] { try await example.setStorage(.apns, for: topic) }
            try await example.setStorage(.lossless, for: "b")
            let expected = [
                AppSettings(topic: "a", storage: .apns), AppSettings(topic: "b", storage: .lossless),
                AppSettings(topic: "clowns", storage: .apns), AppSettings(topic: "notes", storage: .apns),
            ]
            #expect(try await example.store.apps(in: .standard) == expected)
        }
    }

    @Test(arguments: StoreEngine.allCases, [false, true])
    func apnsModeKeepsTheNewestOfEachDevice(_ engine: StoreEngine, isConnected: Bool) async throws {
        try await engine.runExample { example in
            let taken = try await example.take(
                .example("n1", collapseID: "crusty"),
                .example("n2", collapseID: "dusty"),
                .example("p1", to: "phone"),
                .example("notes 1", for: "notes"),
                .example("notes 2", for: "notes"),
                .example("away 1", to: "laptop"),
                .example("away 2", to: "laptop"),
                connected: isConnected ? [example.home] : []
            )
            let changes = try await example.setStorage(.apns)
            #expect(changes.tally == Tally(removedByState: [.collapsed: 2], batches: [taken.number]))
            #expect(Set(changes.removals.map(\.agent)) == [example.home, example.away])
            #expect(try await example.inbox() == ["n2", "p1", "notes 1", "notes 2"])
            #expect(try await example.inbox(example.away) == ["away 2"])
            #expect(try await example.setStorage(.apns) == StoreChanges())
        }
    }

    @Test(arguments: StoreEngine.allCases, ["crusty", "dusty", nil] as [CollapseIdentifier?])
    func remainingNotificationHasTheSlotOfItsTopic(
        _ engine: StoreEngine,
        _ collapseID: CollapseIdentifier?
    ) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", collapseID: "crusty"))
            try await example.setStorage(.apns)
            try await example.take(.example("n2", collapseID: collapseID), as: "later")
            #expect(try await example.inbox() == ["n2"])
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            ("crusty", "crusty", ["new"]), ("crusty", "dusty", ["old", "new"]), ("crusty", nil, ["old", "new"]),
            (nil, nil, ["old", "new"]), (nil, "", ["old", "new"]), (nil, "t", ["old", "new"]), ("", "", ["new"]),
        ] as [(CollapseIdentifier?, CollapseIdentifier?, [NotificationID])]
    )
    func losslessModeUsesTheSlotOfTheCollapseIdentifier(
        _ engine: StoreEngine,
        _ expected: (old: CollapseIdentifier?, new: CollapseIdentifier?, inbox: [NotificationID])
    ) async throws {
        try await engine.runExample { example in
            try await example.setStorage(.apns)
            try await example.take(.example("old", collapseID: expected.old), as: "old")
            #expect(try await example.setStorage(.lossless) == StoreChanges())
            try await example.take(.example("new", collapseID: expected.new), as: "new")
            #expect(try await example.inbox() == expected.inbox)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func losslessModeKeepsDeliveredNotifications(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.setStorage(.apns)
            try await example.take(
                .example("n1", collapseID: "crusty"),
                .example("n2", collapseID: "crusty"),
                connected: [example.home]
            )
            try await example.setStorage(.lossless)
            #expect(try await example.disconnect() == StoreChanges())
            #expect(try await example.inbox() == ["n1", "n2"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func choosingTheCurrentModeChangesNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", collapseID: "crusty"), .example("n2"))
            #expect(try await example.setStorage(.lossless) == StoreChanges())
            try await example.take(.example("n3", collapseID: "crusty"), as: "later")
            #expect(try await example.inbox() == ["n2", "n3"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func modeAppliesToOneNamespace(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2"))
            #expect(try await example.store.setStorage(.apns, for: "clowns", in: "other", at: .noon) == StoreChanges())
            try await example.disconnect()
            #expect(try await example.inbox() == ["n1", "n2"])
            #expect(try await example.store.apps(in: .standard).isEmpty)
        }
    }
}
