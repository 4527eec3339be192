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
        #expect(try await session.store.faultTargets() == FaultTargets(tokens: ["aa"]))
        #expect(try await session.store.takeFault(for: "bb", in: .standard) == .noFault)
        var left: [Int?] = []
        for _ in 0..<2 { left.append(try await Self.take(for: "aa", from: session)?.left) }
        #expect(left == [1, 0])
        #expect(try await session.store.takeFault(for: "aa", in: .standard) == .noFault)
        #expect(try await session.store.faultTargets().isEmpty)
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
        #expect(try await Self.take(for: "aa", from: session)?.id == "3")
        #expect(try await session.store.faults(in: .standard).isEmpty)
        try session.close()
    }

    @Test(arguments: StoreEngine.allCases)
    func faultForAllDevicesChoosesFromTheRequestsOfItsNamespace(_ engine: StoreEngine) async throws {
        let session = try await StoreSession(engine)
        let store = { session.store }
        let fault = SendFault(kind: .reset, times: 2, pattern: "-x")
        _ = try await store().addFault(fault, as: "all", in: "one")
        _ = try await store().addFault(Self.fault("bb"), as: "device", in: "two")
        #expect(try await store().faultTargets() == FaultTargets(tokens: ["bb"], namespaces: ["one"]))
        #expect(try await store().faults(in: "one") == [ScriptedFault(id: "all", fault: fault, left: 2)])
        #expect(try await store().takeFault(for: "aa", in: .standard) == .noFault)
        // The fault spares every second request; a later fault sees those that it spares.
        var decisions: [FaultDecision] = []
        for token: DeviceToken in ["aa", "cc", "bb", "aa", "aa"] {
            decisions.append(try await store().takeFault(for: token, in: "one"))
        }
        let other = ScriptedFault(id: "device", fault: Self.fault("bb"))
        let taken = [1, 0].map { FaultDecision.inject(ScriptedFault(id: "all", fault: fault, left: $0)) }
        #expect(decisions == [.spared, taken[0], .inject(other), taken[1], .noFault])
        #expect(try await store().faultTargets() == FaultTargets(tokens: ["bb"]))
        try session.close()
    }

    /// Returns the fault that a request gets.
    private static func take(for token: DeviceToken, from session: StoreSession) async throws -> ScriptedFault? {
        guard case .inject(let fault) = try await session.store.takeFault(for: token, in: .standard) else { return nil }
        return fault
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
