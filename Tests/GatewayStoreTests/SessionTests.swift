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
                try await example.store.closeSession(example.home, epoch, attempts: sent, ends: [end], at: .noon)
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
            #expect(
                try await example.store.closeSession(other, epoch, attempts: [:], ends: [], at: .noon) == nil
            )
            #expect(
                try await example.store.closeSession(example.home, mine, attempts: [:], ends: [], at: .noon) != nil
            )
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
}
