import PushRules
import Synchronization
import Testing
import WaypostSchema

@testable import GatewayStore

@Suite struct BatchStatusTests {
    @Test(arguments: StoreEngine.allCases)
    func unknownBatchHasNoStatus(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take()
            #expect(try await example.store.batch("another", in: .standard) == nil)
            #expect(try await example.store.batch("batch", in: "other") == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func emptyBatchHasNoStates(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take()
            #expect(appended.changes == StoreChanges())
            let expected = BatchRecord(number: appended.number, id: "batch", rejectedCount: 0, counts: DeliveryCounts())
            #expect(try await example.store.batch("batch", in: .standard) == expected)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func rejectedCountsItemsRejectedBeforeAndByTheStore(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let notifications: [NewNotification] = [
                .example("n1", to: "nobody"), .example("n2"), .example("n3", for: "photos"),
            ]
            let batch = NewBatch(id: "batch", notifications: notifications, rejected: 4)
            _ = try await example.store.append(batch, at: .noon)
            let record = try await example.store.batch("batch", in: .standard)
            #expect(record?.rejectedCount == 6)
            #expect(record?.acceptedCount == 1)
            #expect(record?.counts == DeliveryCounts([.stored: 1]))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func batchOfRefusedItemsIsRemembered(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", to: "nobody"))
            let record = try await example.store.batch("batch", in: .standard)
            #expect(record?.rejectedCount == 1)
            #expect(record?.acceptedCount == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases, [nil, [], [1, 0, 255]] as [[UInt8]?])
    func recordIsStoredUnchanged(_ engine: StoreEngine, _ record: [UInt8]?) async throws {
        try await engine.runExample { example in
            var batch = NewBatch(id: "batch", notifications: [.example("n1"), .example("n2", to: "nobody")])
            if let record { batch.encodeAnswer = { $0 == [nil, .unknownToken] ? record : [0] } }
            _ = try await example.store.append(batch, at: .noon)
            #expect(try await example.store.batch("batch", in: .standard)?.storedAnswer == record)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func recordIsCreatedOnceAndOnlyForAnAcceptedBatch(_ engine: StoreEngine) async throws {
        let calls = Mutex(0)
        var batch = NewBatch(
            id: "batch",
            notifications: [.example("n1")],
            key: IdempotencyKey(key: "key", fingerprint: []),
            encodeAnswer: { _ in
                calls.withLock { $0 += 1 }
                return []
            }
        )
        try await engine.runExample { example in
            _ = try await example.store.append(batch, at: .noon)
            #expect(calls.withLock { $0 } == 1)
            _ = try await example.store.append(batch, at: .noon)
            (batch.key, batch.isAtomic, batch.rejections) = (nil, true, [.example])
            _ = try await example.store.append(batch, at: .noon)
            #expect(calls.withLock { $0 } == 1)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func storedIsAbsentWhenNothingIsStored(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2"))
            try await example.acknowledge("n1")
            #expect(try await example.states() == [.stored: 1, .acknowledged: 1])
            try await example.acknowledge("n2")
            #expect(try await example.states() == [.acknowledged: 2])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func statusCountsOnlyItsOwnBatch(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), as: "first")
            try await example.take(.example("n2"), .example("n3", expiration: 0), as: "second")
            #expect(try await example.states(of: "first") == [.stored: 1])
            #expect(try await example.states(of: "second") == [.stored: 1, .dropped: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func eachAcceptedItemIsAlwaysInOneState(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            func expectStates(
                _ states: [DeliveryState: Int],
                _ location: SourceLocation = #_sourceLocation
            ) async throws {
                let record = try #require(try await example.store.batch("batch", in: .standard))
                #expect(record.counts.states == states, sourceLocation: location)
                #expect(record.acceptedCount == 8, sourceLocation: location)
            }
            let deliveries = try await example.take(
                .example("acknowledged"),
                .example("collapsed", collapseID: "crusty"),
                .example("expired", expiration: 200),
                .example("flying", expiration: 0),
                .example("dropped at once", to: "laptop", expiration: 0),
                .example("expired at once", to: "laptop", expiration: 50),
                .example("unregistered", to: "phone"),
                .example("stored"),
                connected: [example.home]
            ).deliveries
            try await expectStates([.stored: 5, .accepted: 1, .dropped: 1, .expired: 1])
            try await example.acknowledge("acknowledged")
            try await expectStates([.stored: 4, .accepted: 1, .dropped: 1, .expired: 1, .acknowledged: 1])
            try await example.take(.example("newer", collapseID: "crusty"), as: "later")
            try await expectStates([
                .stored: 3, .accepted: 1, .dropped: 1, .expired: 1, .acknowledged: 1, .collapsed: 1,
            ])
            try await example.expire(at: 200)
            let flying = try #require(deliveries.first { $0.notification.notification.isTransient })
            try await example.store.recordOutcomes([TransientEnd(flying, .dropped)])
            try await expectStates([.stored: 2, .dropped: 2, .expired: 2, .acknowledged: 1, .collapsed: 1])
            try await example.change("phone", .standing(.expired, since: .noon))
            try await expectStates([
                .stored: 1, .dropped: 2, .expired: 2, .acknowledged: 1, .collapsed: 1, .unregistered: 1,
            ])
        }
    }
}
