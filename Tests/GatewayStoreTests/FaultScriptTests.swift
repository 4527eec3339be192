import GatewayStore
import Testing
import WaypostSchema

@Suite struct FaultScriptTests {
    private static let hang = SendFault(token: "aa", kind: .hang)

    /// Returns the identifiers of the faults that the next requests get; `-` if faults spare a request.
    private static func take(_ count: Int, from script: inout FaultScript, for request: Request) -> [String] {
        (0..<count).map { _ in
            switch script.take(for: request.token, in: request.namespace) {
            case .noFault: ""
            case .spared: "-"
            case .inject(let fault): fault.id.rawValue
            }
        }
    }

    private struct Request {
        var token: DeviceToken = "aa"
        var namespace = Namespace.standard
    }

    @Test func faultsOfATokenApplyInOrderAndAsOftenAsRequested() {
        var script = FaultScript()
        _ = script.add(SendFault(token: "aa", kind: .reset, times: 2), as: "1", in: .standard)
        _ = script.add(SendFault(token: "bb", kind: .hang, times: 1), as: "2", in: .standard)
        _ = script.add(SendFault(token: "aa", kind: .goAway, times: 1), as: "3", in: "elsewhere")
        let taken = Self.take(4, from: &script, for: Request())
        #expect(taken == ["1", "1", "3", ""])
        #expect(script.faults(in: .standard).map(\.id) == ["2"])
        let last = script.take(for: "bb", in: .standard)
        let used = ScriptedFault(id: "2", fault: SendFault(token: "bb", kind: .hang, times: 1), left: 0)
        #expect(last == .inject(used))
        #expect(script.faults(in: .standard).isEmpty)
    }

    @Test func unlimitedFaultStaysUntilItIsRemoved() {
        var script = FaultScript()
        _ = script.add(Self.hang, as: "1", in: .standard)
        let taken = Self.take(3, from: &script, for: Request())
        #expect(taken == ["1", "1", "1"])
        let removed = ["elsewhere", .standard].map { script.remove("1", in: $0) }
        #expect(removed == [false, true])
        let next = script.take(for: "aa", in: .standard)
        #expect(next == .noFault)
    }

    @Test func faultForAllDevicesIsForItsNamespaceOnly() {
        var script = FaultScript()
        _ = script.add(SendFault(kind: .reset, times: 3), as: "all", in: "one")
        #expect(script.targets == FaultTargets(namespaces: ["one"]))
        #expect(script.targets.mayInclude("aa"))
        let targets = script.targets
        let included = (["one", "two"] as [Namespace]).map { targets.includes("aa", in: $0) }
        #expect(included == [true, false])
        let elsewhere = Self.take(1, from: &script, for: Request(namespace: "two"))
        #expect(elsewhere == [""])
        let taken = ["aa", "bb", "aa", "cc"].flatMap { (token: DeviceToken) in
            Self.take(1, from: &script, for: Request(token: token, namespace: "one"))
        }
        #expect(taken == ["all", "all", "all", ""])
        #expect(script.targets.isEmpty)
    }

    /// The order of addition decides, not whether a fault is for one device or for all.
    @Test func firstFaultThatWasAddedIsTaken() {
        var script = FaultScript()
        _ = script.add(SendFault(token: "aa", kind: .hang, times: 1), as: "1", in: "elsewhere")
        _ = script.add(SendFault(kind: .hang, times: 1), as: "2", in: .standard)
        _ = script.add(SendFault(token: "aa", kind: .hang, times: 1), as: "3", in: .standard)
        let taken = Self.take(4, from: &script, for: Request())
        #expect(taken == ["1", "2", "3", ""])
    }

    @Test func faultCountsTheRequestsThatItSeesAndIsUsedUpByThoseThatGetIt() {
        var script = FaultScript()
        _ = script.add(SendFault(kind: .hang, times: 2, pattern: "--x"), as: "1", in: .standard)
        _ = script.add(SendFault(token: "bb", kind: .hang, times: 1, pattern: "-x"), as: "2", in: .standard)
        // The second fault sees the requests for its token that the first spares.
        let taken = ["aa", "bb", "bb", "bb", "bb", "aa", "aa"].flatMap { (token: DeviceToken) in
            Self.take(1, from: &script, for: Request(token: token))
        }
        #expect(taken == ["-", "-", "1", "2", "-", "1", ""])
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
