import GatewayStore
import Testing
import WaypostSchema

/// Tests of clocks that move back or show extreme times: nothing fails, and only expired notifications are removed.
@Suite struct BackwardClockTests {
    @Test(arguments: StoreEngine.allCases)
    func storedNotificationCanBeReadAtAnEarlierTime(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", expiration: 200), .example("n2"), at: .seconds(150))
            #expect(try await example.page(at: .seconds(200)) == ["n2"])
            #expect(try await example.page(at: .seconds(120)) == ["n1", "n2"])
            #expect(try await example.expire(at: 120) == StoreChanges())
            #expect(try await example.expire(at: 200).removals.count == 1)
            #expect(try await example.expire(at: 120) == StoreChanges())
            #expect(try await example.page(at: .seconds(120)) == ["n2"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sequencesAndSlotsDoNotDependOnTheClock(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", collapseID: "crusty"), .example("n2"), at: .seconds(500))
            try await example.take(.example("n3", collapseID: "crusty"), as: "later", at: .seconds(100))
            #expect(try await example.inbox() == ["n2", "n3"])
        }
    }

    @Test(arguments: StoreEngine.allCases, [StorageMode.lossless, .apns])
    func extremeTimesAreAccepted(_ engine: StoreEngine, _ mode: StorageMode) async throws {
        try await engine.runExample { example in
            try await example.setStorage(mode)
            for milliseconds in [Int.min, .min + 1, -1_000, -1, 0, .max - 1, .max, 100_000] {
                let now = Timestamp(milliseconds: milliseconds)
                let batch = NewBatch(
                    id: BatchID(rawValue: "batch at \(milliseconds)"),
                    notifications: [.example("n1"), .example("n2", expiration: .max), .example("n3", expiration: 1)],
                    key: IdempotencyKey(key: "key", fingerprint: [])
                )
                _ = try await example.store.append(batch, at: now)
                _ = try await example.store.batch(with: "key", in: .standard, at: now)
                _ = try await example.page(at: now)
                _ = try await example.store.removeExpired(in: .standard, at: now)
                _ = try await example.store.join("tablet", .home, at: now)
                try await example.change("tablet", .standing(.active, since: now), at: now)
                #expect(try await example.store.device("tablet", in: .standard)?.since == now)
            }
            #expect(try await example.store.namespaces().map(\.devices) == [3])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func keyOfALaterTimeIsKnown(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let batch = NewBatch(id: "batch", notifications: [], key: IdempotencyKey(key: "key", fingerprint: []))
            _ = try await example.store.append(batch, at: Timestamp(milliseconds: .max))
            for now in [Timestamp.noon, .dawn, .beginning] {
                #expect(try await example.store.removeExpired(in: .standard, at: now) == StoreChanges())
                #expect(try await example.store.append(batch, at: now).duplicate != nil)
            }
        }
    }
}
