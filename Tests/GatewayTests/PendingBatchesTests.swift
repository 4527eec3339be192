import Testing
import WaypostSchema

@testable import Gateway

@Suite struct PendingBatchesTests {
    static func key(_ id: BatchID, in namespace: Namespace = .standard) -> PendingBatches.Key {
        PendingBatches.Key(namespace: namespace, id: id)
    }

    static func isWaiting(_ phase: PendingBatches.Phase?) -> Bool {
        if case .waiting = phase { true } else { false }
    }

    static func isRefused(_ phase: PendingBatches.Phase?) -> Bool {
        if case .refused = phase { true } else { false }
    }

    @Test func batchIsPendingUntilItIsStored() {
        var pending = PendingBatches()
        #expect(pending[Self.key("a")] == nil)
        pending.add(Self.key("a"))
        #expect(Self.isWaiting(pending[Self.key("a")]))
        #expect(pending[Self.key("a", in: "other")] == nil)
        pending.end(Self.key("a"), as: nil)
        #expect(pending[Self.key("a")] == nil)
    }

    @Test func refusedAndRepeatedBatchesAreRemembered() {
        var pending = PendingBatches()
        for id: BatchID in ["refused", "known"] { pending.add(Self.key(id)) }
        pending.end(Self.key("refused"), as: .refused(.overloaded))
        pending.end(Self.key("known"), as: .known("first"))
        #expect(Self.isRefused(pending[Self.key("refused")]))
        guard case .known("first") = pending[Self.key("known")] else {
            Issue.record("the batch is not known as the first one")
            return
        }
    }

    @Test func lastThousandRefusedBatchesAreRemembered() {
        var pending = PendingBatches()
        let keys = (0..<1_001).map { Self.key(BatchID(rawValue: "\($0)")) }
        pending.add(Self.key("waiting"))
        for key in keys {
            pending.add(key)
            pending.end(key, as: .refused(.overloaded))
        }
        #expect(pending[keys[0]] == nil)
        #expect(keys.dropFirst().allSatisfy { Self.isRefused(pending[$0]) })
        #expect(Self.isWaiting(pending[Self.key("waiting")]))
    }

    @Test func resetForgetsRefusedBatchesOfItsNamespaceOnly() {
        var pending = PendingBatches()
        for namespace: Namespace in ["one", "two"] {
            pending.end(Self.key("a", in: namespace), as: .refused(.overloaded))
        }
        pending.forget("one")
        #expect(pending[Self.key("a", in: "one")] == nil)
        #expect(Self.isRefused(pending[Self.key("a", in: "two")]))
    }
}
