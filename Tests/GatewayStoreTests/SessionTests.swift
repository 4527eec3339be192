import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of agents' sessions: who is connected, and who may say that an agent no longer is.
@Suite struct SessionTests {
    @Test(arguments: StoreEngine.allCases)
    func laterSessionHasAGreaterEpoch(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let first = try #require(try await example.store.openSession(example.home))
            let second = try #require(try await example.store.openSession(example.home))
            #expect(first < second)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func agentIsConnectedFromOpeningToClosing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let now = NewNotification.example("now", expiration: 0)
            #expect(try await example.take(now, as: "before").countsByState == [.dropped: 1])
            try await example.connect([example.home])
            #expect(try await example.take(now, as: "during").countsByState == [.accepted: 1])
            try await example.disconnect()
            #expect(try await example.take(now, as: "after").countsByState == [.dropped: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func closingAnOldSessionChangesNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample(storage: .apns) { example in
            let old = try #require(try await example.store.openSession(example.home))
            let current = try #require(try await example.store.openSession(example.home))
            let appended = try await example.take(.example("n1"), .example("n2"), .example("now", expiration: 0))
            let end = TransientEnd(appended.deliveries[2], .dropped)
            let sent = [appended.deliveries[0].notification.sequence: DeliveryAttempts(at: .noon)]
            func close(_ epoch: SessionEpoch) async throws -> StoreChanges? {
                try await example.store.closeSession(example.home, epoch, attempts: sent, ends: [end])
            }
            #expect(try await close(old) == nil)
            #expect(try await example.states() == [.stored: 2, .accepted: 1])
            #expect(try await example.entry("n1").attempts == nil)
            #expect(try await close(current)?.tally.removedByState == [.collapsed: 1])
            #expect(try await example.states() == [.stored: 1, .collapsed: 1, .dropped: 1])
            #expect(try await example.entry("n1").attempts == DeliveryAttempts(at: .noon))
            #expect(try await close(current) == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sessionEndsWithItsAgent(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, other in
            let epoch = try #require(try await example.store.openSession(other))
            let mine = try #require(try await example.store.openSession(example.home))
            _ = try await example.store.reset("other")
            #expect(try await example.store.openSession(other) == nil)
            #expect(try await example.store.closeSession(other, epoch) == nil)
            #expect(try await example.store.closeSession(example.home, mine) != nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sessionsOfDifferentAgentsAreIndependent(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.connect([example.home, example.away])
            try await example.disconnect()
            let appended = try await example.take(.example("n1"), .example("n2", to: "laptop"))
            #expect(appended.deliveries.map(\.agent) == [example.away])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sessionsThatCloseTogetherEachHaveTheirChanges(_ engine: StoreEngine) async throws {
        try await engine.runExample(storage: .apns) { example in
            let old = try #require(try await example.store.openSession(example.home))
            try await example.connect([example.home, example.away])
            let home = try #require(example.sessions[example.home])
            let away = try #require(example.sessions[example.away])
            let appended = try await example.take(
                .example("n1"),
                .example("n2"),
                .example("n3", to: "laptop"),
                .example("n4", to: "laptop"),
                .example("now", to: "laptop", expiration: 0)
            )
            let end = try #require(appended.deliveries.last.map { TransientEnd($0, .dropped) })
            let sequences = appended.deliveries.map(\.notification.sequence)
            let ofHome = [sequences[0]: DeliveryAttempts(at: .noon)]
            let ofAway = [sequences[2]: DeliveryAttempts(at: .noon)]
            let sent = [sequences[1]: DeliveryAttempts(at: .noon)]
            let outdated = SessionClosing(agent: example.home, epoch: old, attempts: sent, ends: [end], time: .noon)
            let first = SessionClosing(agent: example.home, epoch: home, attempts: ofHome, time: .noon)
            let second = SessionClosing(agent: example.away, epoch: away, attempts: ofAway, ends: [end], time: .noon)
            let changes = try await example.store.closeSessions([outdated, first, second, first])
            let removed = changes.map { $0?.tally.removedByState }
            #expect(removed == [nil, [.collapsed: 1], [.collapsed: 1], nil])
            #expect(try await example.states() == [.stored: 2, .collapsed: 2, .dropped: 1])
            #expect(try await example.entry("n1").attempts == DeliveryAttempts(at: .noon))
            #expect(try await example.entry("n3").attempts == DeliveryAttempts(at: .noon))
            #expect(try await example.entry("n2").attempts == nil)
            #expect(try await example.store.closeSessions([]) == [])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sessionsOfTwoNamespacesCloseTogether(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, other in
            let there = try #require(try await example.store.openSession(other))
            let here = try #require(try await example.store.openSession(example.home))
            let closings = [
                SessionClosing(agent: other, epoch: there, time: .noon),
                SessionClosing(agent: example.home, epoch: here, time: .noon),
            ]
            #expect(try await example.store.closeSessions(closings) == [StoreChanges(), StoreChanges()])
            #expect(try await example.store.closeSessions(closings) == [nil, nil])
            #expect(try await example.store.ownSessions().isEmpty)
        }
    }
}
