import GatewayStore
import Testing
import WaypostSchema

/// Tests of the faults that requests take from the store; their order is a test of `FaultScript`.
@Suite struct FaultTests {
    private static func fault(_ token: DeviceToken, times: Int? = nil) -> SendFault {
        SendFault(token: token, kind: .hang, times: times)
    }

    @Test(arguments: StoreEngine.allCases)
    func faultIsTakenAsOftenAsItSays(_ engine: StoreEngine) async throws {
        let session = try await StoreSession(engine)
        #expect(try await session.store.addFault(Self.fault("aa", times: 2), as: "1", in: .standard)?.left == 2)
        #expect(try await session.store.tokensWithFaults() == ["aa"])
        #expect(try await session.store.takeFault(for: "bb") == nil)
        var left: [Int?] = []
        for _ in 0..<2 { left.append(try await session.store.takeFault(for: "aa")?.left) }
        #expect(left == [1, 0])
        #expect(try await session.store.takeFault(for: "aa") == nil)
        #expect(try await session.store.tokensWithFaults().isEmpty)
        try session.close()
    }

    @Test(arguments: StoreEngine.allCases)
    func faultsBelongToANamespace(_ engine: StoreEngine) async throws {
        let session = try await StoreSession(engine)
        for (id, namespace) in [("1", Namespace.standard), ("2", "other"), ("3", "other"), ("4", "third")] {
            _ = try await session.store.addFault(Self.fault("aa"), as: FaultID(rawValue: id), in: namespace)
        }
        #expect(try await session.store.faults(in: "other").map(\.id) == ["2", "3"])
        #expect(try await !session.store.removeFault("2", in: .standard))
        #expect(try await session.store.removeFault("2", in: "other"))
        try await session.store.removeFaults(in: "third")
        _ = try await session.store.reset(.standard)
        #expect(try await session.store.takeFault(for: "aa")?.id == "3")
        #expect(try await session.store.faults(in: .standard).isEmpty)
        try session.close()
    }
}

/// Tests of the batches that were answered before they were stored.
@Suite struct PendingBatchTests {
    private static let refused = PendingBatch.refused(APIErrorBody(error: APIError(code: "overloaded", message: "")))

    @Test(arguments: StoreEngine.allCases)
    func batchIsPendingUntilItEnds(_ engine: StoreEngine) async throws {
        let session = try await StoreSession(engine)
        let store = { session.store }
        #expect(try await store().pendingBatch("a", in: .standard) == nil)
        for id: BatchID in ["a", "b", "c"] { try await store().addPendingBatch(id, in: .standard) }
        #expect(try await store().pendingBatch("a", in: .standard) == .waiting)
        #expect(try await store().pendingBatch("a", in: "other") == nil)
        try await store().endPendingBatch("a", in: .standard, as: nil)
        try await store().endPendingBatch("b", in: .standard, as: Self.refused)
        try await store().endPendingBatch("c", in: .standard, as: .duplicate("first"))
        #expect(try await store().pendingBatch("a", in: .standard) == nil)
        #expect(try await store().pendingBatch("b", in: .standard) == Self.refused)
        #expect(try await store().pendingBatch("c", in: .standard) == .duplicate("first"))
        try session.close()
    }

    @Test(arguments: StoreEngine.allCases)
    func lastThousandRefusedBatchesAreRemembered(_ engine: StoreEngine) async throws {
        let session = try await StoreSession(engine)
        try await session.store.addPendingBatch("waiting", in: .standard)
        for number in 0...1_000 {
            let id = BatchID(rawValue: "\(number)")
            try await session.store.addPendingBatch(id, in: .standard)
            try await session.store.endPendingBatch(id, in: .standard, as: Self.refused)
        }
        #expect(try await session.store.pendingBatch("0", in: .standard) == nil)
        for id: BatchID in ["1", "1000"] {
            #expect(try await session.store.pendingBatch(id, in: .standard) == Self.refused)
        }
        #expect(try await session.store.pendingBatch("waiting", in: .standard) == .waiting)
        try session.close()
    }

    @Test(arguments: StoreEngine.allCases)
    func resetForgetsTheBatchesOfItsNamespaceOnly(_ engine: StoreEngine) async throws {
        let session = try await StoreSession(engine)
        for namespace: Namespace in ["one", "two"] {
            for id: BatchID in ["waiting", "refused"] { try await session.store.addPendingBatch(id, in: namespace) }
            try await session.store.endPendingBatch("refused", in: namespace, as: Self.refused)
        }
        _ = try await session.store.reset("one")
        for id: BatchID in ["waiting", "refused"] {
            #expect(try await session.store.pendingBatch(id, in: "one") == nil)
        }
        #expect(try await session.store.pendingBatch("refused", in: "two") == Self.refused)
        // A batch that no longer waits when it ends stays unknown.
        try await session.store.endPendingBatch("waiting", in: "one", as: Self.refused)
        #expect(try await session.store.pendingBatch("waiting", in: "one") == nil)
        try session.close()
    }
}
