import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of settled batches, which the store forgets 7 days after a sweep first found them settled and 7 days old.
@Suite struct ForgettingTests {
    private static let week = 7 * 24 * 60 * 60

    @Test(
        arguments: StoreEngine.allCases,
        [[], [.example("n1", expiration: 0)], [.example("n1", expiration: 1)], [.example("n1", to: "nobody")]]
            as [[NewNotification]]
    )
    func settledBatchIsForgottenAfterTwoWeeks(
        _ engine: StoreEngine,
        _ notifications: [NewNotification]
    ) async throws {
        try await engine.runExample { example in
            let batch = NewBatch(id: "batch", notifications: notifications)
            _ = try await example.store.append(batch, at: .noon)
            for seconds in [100, 99 + Self.week, 100 + Self.week, 99 + 2 * Self.week] {
                try await example.expire(at: seconds)
                #expect(try await example.states() != nil)
            }
            try await example.expire(at: 100 + 2 * Self.week)
            #expect(try await example.states() == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func batchThatSettledLateIsRememberedForAWeek(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let now = NewNotification.example("now", expiration: 0)
            try await example.take(.example("n1"), as: "stored")
            let flying = try await example.take(now, as: "flying", connected: [example.home]).deliveries[0]
            for weeks in 1...5 { try await example.expire(at: weeks * Self.week) }
            #expect(try await example.states(of: "stored") == [.stored: 1])
            #expect(try await example.states(of: "flying") == [.accepted: 1])
            try await example.acknowledge("n1")
            try await example.store.recordOutcomes([TransientEnd(flying, .dropped)])
            for seconds in [6 * Self.week, 7 * Self.week - 1] {
                try await example.expire(at: seconds)
                #expect(try await example.states(of: "stored") == [.acknowledged: 1])
                #expect(try await example.states(of: "flying") == [.dropped: 1])
            }
            try await example.expire(at: 7 * Self.week)
            #expect(try await example.states(of: "stored") == nil)
            #expect(try await example.states(of: "flying") == nil)
        }
    }

    /// Even if the clock advances by a month at once, the sender can still read the outcome of the batch.
    @Test(arguments: StoreEngine.allCases)
    func batchThatSettlesInASweepIsNotForgottenByThatSweep(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", expiration: 3 * Self.week))
            try await example.expire(at: 4 * Self.week)
            #expect(try await example.states() == [.expired: 1])
            try await example.expire(at: 5 * Self.week)
            #expect(try await example.states() == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func eachBatchIsForgottenAtItsOwnTime(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(as: "old")
            try await example.expire(at: 100 + Self.week)
            try await example.take(as: "young", at: .seconds(100 + Self.week))
            try await example.expire(at: 100 + 2 * Self.week)
            #expect(try await example.states(of: "old") == nil)
            #expect(try await example.states(of: "young") == [:])
            try await example.expire(at: 100 + 3 * Self.week)
            #expect(try await example.states(of: "young") == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func forgettingAffectsOneNamespace(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(as: "empty")
            try await example.store.setClock(of: "other", to: .noon)
            for weeks in 2...9 {
                _ = try await example.store.removeExpired(in: "other", at: .seconds(weeks * Self.week))
            }
            #expect(try await example.states(of: "empty") == [:])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func batchWithStoredNotificationsIsNotForgotten(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), as: "stored")
            try await example.take(.example("n2"), as: "settled")
            try await example.acknowledge("n2")
            for weeks in 2...9 { try await example.expire(at: weeks * Self.week) }
            #expect(try await example.states(of: "settled") == nil)
            #expect(try await example.inbox() == ["n1"])
            #expect(try await example.acknowledge("n1").removals.count == 1)
        }
    }
}
