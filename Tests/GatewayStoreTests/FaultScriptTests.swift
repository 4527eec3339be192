import GatewayStore
import Testing
import WaypostSchema

@Suite struct FaultScriptTests {
    private static let hang = SendFault(token: "aa", kind: .hang)

    @Test func faultsOfATokenApplyInOrderAndAsOftenAsRequested() {
        var script = FaultScript()
        _ = script.add(SendFault(token: "aa", kind: .reset, times: 2), as: "1", in: .standard)
        _ = script.add(SendFault(token: "bb", kind: .hang, times: 1), as: "2", in: .standard)
        _ = script.add(SendFault(token: "aa", kind: .goAway, times: 1), as: "3", in: "elsewhere")
        let taken = (0..<4).map { _ in script.take(for: "aa")?.id }
        #expect(taken == ["1", "1", "3", nil])
        #expect(script.faults(in: .standard).map(\.id) == ["2"])
        let last = script.take(for: "bb")
        #expect(last?.left == 0)
        #expect(script.faults(in: .standard).isEmpty)
    }

    @Test func unlimitedFaultStaysUntilItIsRemoved() {
        var script = FaultScript()
        _ = script.add(Self.hang, as: "1", in: .standard)
        let taken = (0..<3).map { _ in script.take(for: "aa")?.id }
        #expect(taken == ["1", "1", "1"])
        let removed = ["elsewhere", .standard].map { script.remove("1", in: $0) }
        #expect(removed == [false, true])
        let next = script.take(for: "aa")
        #expect(next == nil)
    }

    @Test func numberOfFaultsInANamespaceIsLimited() {
        var script = FaultScript()
        for number in 0..<FaultScript.capacity {
            _ = script.add(Self.hang, as: FaultID(rawValue: "\(number)"), in: .standard)
        }
        let added = [Namespace.standard, "elsewhere"].map { script.add(Self.hang, as: "more", in: $0) != nil }
        #expect(added == [false, true])
        script.removeAll(in: .standard)
        let again = script.add(Self.hang, as: "more", in: .standard)
        #expect(again != nil)
    }
}
