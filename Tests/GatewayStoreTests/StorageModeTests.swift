import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of the storage mode `apns`, which keeps only the newest of each topic for an unreachable device.
@Suite struct StorageModeTests {
    @Test(arguments: StoreEngine.allCases)
    func losslessKeepsEverything(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2"), .example("n3"))
            #expect(try await example.disconnect() == StoreChanges())
            #expect(try await example.inbox() == ["n1", "n2", "n3"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func newestNotificationIsKeptForADisconnectedDevice(_ engine: StoreEngine) async throws {
        try await engine.runExample(storage: .apns) { example in
            let old = try await example.take(.example("n1"), as: "old").number
            let new = try await example.take(.example("n2"), .example("n3"), as: "new")
            let expected = Tally(removedByState: [.collapsed: 2], batches: [old, new.number])
            #expect(new.changes.tally == expected)
            #expect(try await example.inbox() == ["n3"])
            #expect(try await example.states(of: "old") == [.collapsed: 1])
            #expect(try await example.states(of: "new") == [.stored: 1, .collapsed: 1])
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            NewNotification.example("new", for: "notes"),
            .example("new", to: "phone"),
            .example("new", to: "laptop"),
        ]
    )
    func slotBelongsToOneDeviceAndTopic(_ engine: StoreEngine, _ notification: NewNotification) async throws {
        try await engine.runExample(storage: .apns) { example in
            try await example.take(.example("old"), as: "old")
            try await example.take(notification, as: "new")
            #expect(try await example.states(of: "old") == [.stored: 1])
            #expect(try await example.states(of: "new") == [.stored: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases, [nil, "crusty", "dusty", "t", ""] as [CollapseIdentifier?])
    func collapseIdentifiersAreIgnored(_ engine: StoreEngine, _ collapseID: CollapseIdentifier?) async throws {
        try await engine.runExample(storage: .apns) { example in
            try await example.take(.example("old", collapseID: "crusty"), as: "old")
            try await example.take(.example("new", collapseID: collapseID), as: "new")
            #expect(try await example.inbox() == ["new"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func deviceInLowPowerModeIsUnreachableForLowPriorities(_ engine: StoreEngine) async throws {
        try await engine.runExample(storage: .apns) { example in
            try await example.change("tablet", .power(isLowPowerModeEnabled: true))
            try await example.take(
                .example("n1", priority: 5),
                .example("n2", priority: 1),
                .example("n3", priority: 10),
                .example("n4", priority: 10),
                connected: [example.home]
            )
            try await example.change("tablet", .power(isLowPowerModeEnabled: false))
            #expect(try await example.inbox() == ["n2", "n3", "n4"])
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            (nil, 2_592_100), (2_592_099, 2_592_099), (2_592_101, 2_592_100), (.max, 2_592_100), (102, 102),
        ] as [(Int?, Int)]
    )
    func storageEndsAfterAtMostThirtyDays(
        _ engine: StoreEngine,
        _ end: (expiration: Int?, deadline: Int)
    ) async throws {
        try await engine.runExample(storage: .apns) { example in
            try await example.take(.example("n1", expiration: end.expiration))
            #expect(try await example.page(at: .seconds(end.deadline - 1)) == ["n1"])
            #expect(try await example.page(at: .seconds(end.deadline)).isEmpty)
            #expect(try await example.expire(at: end.deadline - 1) == StoreChanges())
            #expect(try await example.expire(at: end.deadline).tally.removedByState == [.expired: 1])
            #expect(try await example.states() == [.expired: 1])
        }
    }

    /// The deadline from the arrival of a notification stays in force.
    @Test(arguments: StoreEngine.allCases, [StorageMode.lossless, .apns])
    func deadlineDoesNotChangeWithTheMode(_ engine: StoreEngine, _ mode: StorageMode) async throws {
        try await engine.runExample { example in
            try await example.setStorage(mode)
            try await example.take(.example("n1"))
            try await example.setStorage(mode == .apns ? .lossless : .apns)
            let late = Timestamp.seconds(100 + StoragePolicy.maximumStorageSeconds)
            #expect(try await example.page(at: late) == (mode == .apns ? [] : ["n1"]))
        }
    }

    @Test(arguments: StoreEngine.allCases, [(0, .dropped), (99, .expired)] as [(Int, DeliveryState)])
    func unstoredNotificationLeavesTheSlotUnchanged(
        _ engine: StoreEngine,
        _ gone: (expiration: Int, state: DeliveryState)
    ) async throws {
        try await engine.runExample(storage: .apns) { example in
            try await example.take(.example("old"), as: "old")
            try await example.take(.example("gone", expiration: gone.expiration), as: "gone")
            #expect(try await example.inbox() == ["old"])
            #expect(try await example.states(of: "gone") == [gone.state: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func messagesAreAlwaysLossless(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.setStorage(.apns, for: .messages)
            try await example.take(.example("n1", for: .messages), .example("n2", for: .messages))
            try await example.disconnect()
            #expect(try await example.setStorage(.apns, for: .messages) == StoreChanges())
            #expect(try await example.inbox() == ["n1", "n2"])
            #expect(try await example.page(at: .seconds(1_000_000_000)) == ["n1", "n2"])
        }
    }
}
