import Testing
import WaypostSchema

@testable import GatewayStore

/// Tests of the changes that the store reports to waiters, which must be complete and exact.
@Suite struct ChangesTests {
    @Test(arguments: StoreEngine.allCases)
    func storingForAnAgentWithoutASessionDeliversNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(.example("n1"), .example("n2", to: "laptop"))
            #expect(appended.changes == StoreChanges())
            #expect(appended.deliveries.isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func refusalsChangeNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let changes = try await example.take(.example("n1", to: "nobody"), .example("n2", for: "photos")).changes
            #expect(changes == StoreChanges())
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func removalContainsAgentSequenceBatchAndState(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let first = try await example.take(.example("n1", to: "laptop", collapseID: "crusty"), as: "first").number
            let sequence = try await example.sequence(of: "n1", in: example.away)
            let second = try await example.take(.example("n2", to: "laptop", collapseID: "crusty"), as: "second")
            let expected = StoreChanges.Removal(
                agent: example.away,
                sequence: sequence,
                batch: first,
                state: .collapsed
            )
            #expect(second.changes.removals == [expected])
            #expect(second.changes.batches.isEmpty)
            #expect(second.changes.settledBatches == [first])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func agentsWithoutNewNotificationsAreNotReported(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(
                .example("dropped", expiration: 0),
                .example("expired", to: "phone", expiration: 99),
                .example("stored", to: "laptop")
            )
            #expect(appended.changes.tally == Tally(batches: [appended.number]))
            #expect(appended.changes.removals.isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func acknowledgingReportsEachBatch(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let first = try await example.take(.example("n1"), as: "first").number
            let second = try await example.take(.example("n2"), as: "second").number
            let third = try await example.take(.example("n3"), as: "third").number
            let changes = try await example.acknowledge("n1", "n3")
            #expect(changes.tally == Tally(removedByState: [.acknowledged: 2], batches: [first, third]))
            #expect(try await example.acknowledge("n2").settledBatches == [second])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sweepingReportsTheBatchesOfExpiredNotifications(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let first = try await example.take(.example("n1", expiration: 200), as: "first").number
            try await example.take(.example("n2", expiration: 201), as: "second")
            try await example.take(.example("n3"), as: "third")
            let late = Timestamp(milliseconds: 200_999)
            let changes = try await example.store.removeExpired(in: .standard, at: late)
            #expect(changes.tally == Tally(removedByState: [.expired: 1], batches: [first]))
            #expect(try await example.store.removeExpired(in: .standard, at: late) == StoreChanges())
        }
    }
}
