import GatewayStore
import Testing
import WaypostSchema

/// Tests of notifications with expiration 0.
@Suite struct TransientNotificationTests {
    @Test(arguments: StoreEngine.allCases)
    func notificationIsDroppedIfItsAgentIsNotConnected(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(.example("n1", expiration: 0), connected: [example.away])
            #expect(appended.changes.tally == Tally(batches: [appended.number]))
            #expect(appended.deliveries.isEmpty)
            #expect(try await example.inbox().isEmpty)
            #expect(try await example.states() == [.dropped: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func connectedAgentReceivesItWithoutStorage(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let now = NewNotification.example("now", expiration: 0, collapseID: "crusty")
            let appended = try await example.take(
                .example("n1"),
                now,
                .example("n2"),
                connected: [example.home]
            )
            #expect(appended.deliveries.map(\.notification.notification.id) == ["n1", "now", "n2"])
            let delivery = appended.deliveries[1]
            #expect(delivery.agent == example.home)
            #expect(delivery.notification.notification == now)
            #expect(delivery.notification.batch == appended.number)
            let before = try await example.sequence(of: "n1")
            let after = try await example.sequence(of: "n2")
            #expect(before < delivery.notification.sequence && delivery.notification.sequence < after)
            #expect(appended.changes.tally == Tally())
            #expect(try await example.inbox() == ["n1", "n2"])
            #expect(try await example.states() == [.accepted: 1, .stored: 2])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationDoesNotAffectTheInbox(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(.example("now", expiration: 0), connected: [example.home])
            #expect(appended.changes == StoreChanges())
            let sequence = try #require(appended.deliveries.first).notification.sequence
            #expect(try await example.store.acknowledge(example.home, [sequence]) == StoreChanges())
            #expect(try await example.expire(at: 1_000_000) == StoreChanges())
            #expect(try await example.disconnect() == StoreChanges())
            #expect(try await example.states() == [.accepted: 1])
            try await example.take(.example("later"), as: "later")
            #expect(try await example.sequence(of: "later") > sequence)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func eachItemOfABatchDependsOnItsOwnAgent(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(
                .example("n1", expiration: 0),
                .example("n2", to: "laptop", expiration: 0),
                .example("n3", to: "phone", expiration: 0),
                connected: [example.away]
            )
            #expect(appended.deliveries.map(\.notification.notification.id) == ["n2"])
            #expect(appended.deliveries.map(\.agent) == [example.away])
            #expect(try await example.states() == [.accepted: 1, .dropped: 2])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationNeitherCollapsesOthersNorIsCollapsed(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("old", collapseID: "crusty"), as: "old")
            let now = NewNotification.example("now", expiration: 0, collapseID: "crusty")
            try await example.take(now, as: "now", connected: [example.home])
            #expect(try await example.inbox() == ["old"])
            try await example.take(.example("new", collapseID: "crusty"), as: "new")
            #expect(try await example.states(of: "now") == [.accepted: 1])
            #expect(try await example.states(of: "old") == [.collapsed: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases, [DeliveryState.acknowledged, .dropped, .unregistered])
    func endOfANotificationIsCounted(_ engine: StoreEngine, _ state: DeliveryState) async throws {
        try await engine.runExample { example in
            let deliveries = try await example.take(
                .example("n1", expiration: 0),
                .example("n2", expiration: 0),
                .example("n3", expiration: 0),
                .example("n4"),
                connected: [example.home]
            ).deliveries
            try await example.store.recordOutcomes([
                TransientEnd(deliveries[0], state), TransientEnd(deliveries[1], state),
            ])
            #expect(try await example.states() == [.accepted: 1, state: 2, .stored: 1])
            try await example.store.recordOutcomes([TransientEnd(deliveries[2], .dropped)])
            #expect(try await example.states()?[.accepted] == nil)
            #expect(try await example.store.batch("batch", in: .standard)?.acceptedCount == 4)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func endsOfSeveralBatchesAreCountedAtOnce(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let now = NewNotification.example("now", expiration: 0)
            let first = try await example.take(now, now, as: "first", connected: [example.home]).deliveries
            let second = try await example.take(now, as: "second", connected: [example.home]).deliveries
            try await example.store.recordOutcomes([
                TransientEnd(first[0], .acknowledged),
                TransientEnd(second[0], .acknowledged),
                TransientEnd(first[1], .dropped),
            ])
            #expect(try await example.states(of: "first") == [.acknowledged: 1, .dropped: 1])
            #expect(try await example.states(of: "second") == [.acknowledged: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationEndsOnce(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let now = NewNotification.example("now", expiration: 0)
            let deliveries = try await example.take(now, now, .example("n1"), connected: [example.home]).deliveries
            try await example.store.recordOutcomes([])
            try await example.store.recordOutcomes([.unknown])
            try await example.store.recordOutcomes([TransientEnd(deliveries[2], .dropped)])
            try await example.store.recordOutcomes(
                Array(repeating: TransientEnd(deliveries[0], .acknowledged), count: 5)
            )
            try await example.store.recordOutcomes([TransientEnd(deliveries[0], .dropped)])
            #expect(try await example.states() == [.accepted: 1, .acknowledged: 1, .stored: 1])
        }
    }
}
