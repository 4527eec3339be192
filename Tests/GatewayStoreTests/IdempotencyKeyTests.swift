import PushRules
import Testing
import WaypostSchema

@testable import GatewayStore

@Suite struct IdempotencyKeyTests {
    private static let day = 24 * 60 * 60 * 1_000

    private func batch(
        _ id: BatchID,
        _ notifications: NewNotification...,
        key: String = "key",
        fingerprint: [UInt8] = [1],
        namespace: Namespace = .standard,
        rejected: Int = 0,
        isAtomic: Bool = false
    ) -> NewBatch {
        NewBatch(
            id: id,
            namespace: namespace,
            notifications: notifications,
            rejected: rejected,
            isAtomic: isAtomic,
            key: IdempotencyKey(key: key, fingerprint: fingerprint),
            encodeAnswer: { _ in Array(id.rawValue.utf8) }
        )
    }

    @Test(arguments: StoreEngine.allCases)
    func batchWithAKnownKeyIsNotStoredAgain(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let first = batch("first", .example("n1"), .example("n2", to: "nobody"))
            let number = try #require(try await example.store.append(first, at: .noon).appended).number
            let again = batch("again", .example("n3"), fingerprint: [2])
            let record = BatchRecord(
                number: number,
                id: "first",
                rejectedCount: 1,
                counts: DeliveryCounts([.stored: 1]),
                storedAnswer: Array("first".utf8)
            )
            let known = KeyedBatch(fingerprint: [1], batch: record)
            #expect(try await example.store.append(again, at: .noon) == .duplicate(known))
            #expect(try await example.store.batch(with: "key", in: .standard, at: .noon) == known)
            #expect(try await example.store.batch("again", in: .standard) == nil)
            #expect(try await example.inbox() == ["n1"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func knownKeyReturnsTheCurrentStateOfItsBatch(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            _ = try await example.store.append(batch("first", .example("n1")), at: .noon)
            try await example.acknowledge("n1")
            let known = try await example.store.append(batch("again", .example("n1")), at: .noon).duplicate
            #expect(known?.batch.counts == DeliveryCounts([.acknowledged: 1]))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func unknownKeyFindsNoBatch(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"))
            #expect(try await example.store.batch(with: "key", in: .standard, at: .noon) == nil)
            _ = try await example.store.append(batch("first"), at: .noon)
            #expect(try await example.store.batch(with: "Key", in: .standard, at: .noon) == nil)
            #expect(try await example.store.batch(with: "", in: .standard, at: .noon) == nil)
            #expect(try await example.store.batch(with: "key", in: "other", at: .noon) == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases, [false, true])
    func otherKeyOrNamespaceIsAnotherBatch(_ engine: StoreEngine, isOtherNamespace: Bool) async throws {
        try await engine.runExample { example in
            _ = try await example.store.append(batch("first", .example("n1")), at: .noon)
            let other =
                isOtherNamespace ? batch("other", namespace: "other") : batch("other", .example("n2"), key: "other")
            #expect(try await example.store.append(other, at: .noon).appended != nil)
            let found = try await example.store.batch(with: other.key?.key ?? "", in: other.namespace, at: .noon)
            #expect(found?.batch.id == "other")
            #expect(try await example.store.batch(with: "key", in: .standard, at: .noon)?.batch.id == "first")
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [(0, true), (day - 1, true), (day, false), (day + 1, false), (2 * day, false), (-day, true)]
    )
    func keyIsRememberedForADay(_ engine: StoreEngine, _ expected: (age: Int, isKnown: Bool)) async throws {
        try await engine.runExample { example in
            let now = Timestamp(milliseconds: Timestamp.noon.rawValue + expected.age)
            _ = try await example.store.append(batch("first", .example("n1")), at: .noon)
            let found = try await example.store.batch(with: "key", in: .standard, at: now)
            #expect((found != nil) == expected.isKnown)
            let outcome = try await example.store.append(batch("again", .example("n2")), at: now)
            #expect((outcome.duplicate != nil) == expected.isKnown)
            let later = try await example.store.batch(with: "key", in: .standard, at: now)
            #expect(later?.batch.id == (expected.isKnown ? "first" : "again"))
        }
    }

    /// A look-up has the same result before and after a sweep.
    @Test(arguments: StoreEngine.allCases, [day - 1, day])
    func sweepingForgetsOnlyExpiredKeys(_ engine: StoreEngine, age: Int) async throws {
        try await engine.runExample { example in
            let now = Timestamp(milliseconds: Timestamp.noon.rawValue + age)
            _ = try await example.store.append(batch("first"), at: .noon)
            _ = try await example.store.append(batch("late", key: "late"), at: now)
            _ = try await example.store.removeExpired(in: .standard, at: now)
            let first = try await example.store.batch(with: "key", in: .standard, at: .noon)
            #expect(first?.batch.id == (age < Self.day ? "first" : nil))
            #expect(try await example.store.batch(with: "late", in: .standard, at: now)?.batch.id == "late")
            #expect(try await example.store.batch("first", in: .standard) != nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func knownKeyTakesPrecedenceOverRefusals(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            _ = try await example.store.append(batch("first"), at: .noon)
            let bad = batch("bad", .example("n1", to: "nobody"), rejected: 1, isAtomic: true)
            #expect(try await example.store.append(bad, at: .noon).duplicate?.batch.id == "first")
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func keyOfARefusedBatchIsNotRemembered(_ engine: StoreEngine) async throws {
        try await engine.runExample { example async throws in
            let bad = batch("bad", .example("n1", to: "nobody"), isAtomic: true)
            #expect(try await example.store.append(bad, at: .noon) == .refused([.unknownToken]))
            #expect(try await example.store.batch(with: "key", in: .standard, at: .noon) == nil)
            let good = batch("good", .example("n1"), isAtomic: true)
            #expect(try await example.store.append(good, at: .noon).appended != nil)
        }
    }
}
