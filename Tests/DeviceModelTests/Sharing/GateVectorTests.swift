import Testing
import WaypostSchema

/// For each gate, a journal in which only that gate fails (`Tests/Vectors/gates/gates.jsonl`).
///
/// A URL without a key is not a link either, so the gate `contentKey` fails only together with `linkDetected`.
@Suite struct GateVectorTests {
    /// The gates that never stop a link.
    private static let harmless: Set<SurfacingGate> = [.merged, .ranked]

    @Test func everyGateThatCanFailHasAVector() {
        let expected = SurfacingGate.allCases.filter { !Self.harmless.contains($0) }
        #expect(GateVector.all.map(\.gate) == expected)
    }

    @Test(arguments: GateVector.all)
    func onlyTheExpectedGateFails(_ vector: GateVector) throws {
        let explanation = vector.device.explanation(of: vector.url, for: vector.app)
        let failed = SurfacingGate.allCases.filter { $0 == vector.gate || $0 == vector.decidedBy }
        #expect(explanation.gates.filter { $0.status == .fail }.map(\.gate) == failed, "\(vector.note)")
        let verdict = try #require(explanation.gates.first { $0.gate == vector.gate })
        #expect(!verdict.explanation.isEmpty)
    }

    @Test(arguments: GateVector.all)
    func failedGateDecides(_ vector: GateVector) {
        let explanation = vector.device.explanation(of: vector.url, for: vector.app)
        #expect(explanation.decidedBy == vector.decidedBy)
        #expect(explanation.isSurfaced == (vector.decidedBy == nil))
        #expect((explanation.rank != nil) == explanation.isSurfaced)
    }

    @Test(arguments: GateVector.all.filter { $0.gate != .curation })
    func linkThatFailsAtAGateIsNotInTheList(_ vector: GateVector) {
        let device = vector.device
        #expect(!device.shelf(of: vector.app).contains(vector.url))
        #expect(device.error(for: vector.url, of: vector.app) != nil)
        #expect(device.search("lasso").allSatisfy { !$0.apps.contains(vector.app) })
        #expect(device.updates.flatMap(\.changes).filter { $0.change == .added }.count == device.withdrawals)
    }

    @Test(arguments: GateVector.all.filter { $0.gate == .curation })
    func linkThatFailsAtCurationIsInTheListAndNotCurated(_ vector: GateVector) {
        let page = vector.device.page(of: vector.app)
        #expect(page.highlights.map(\.url) == [vector.url])
        #expect(!page.curated)
    }

    @Test(arguments: GateVector.all)
    func linkSurfacesWithoutTheCause(_ vector: GateVector) {
        let device = vector.mendedDevice
        let url = vector.mendedURL ?? vector.url
        let explanation = device.explanation(of: url, for: vector.app)
        #expect(explanation.decidedBy == nil, "\(vector.note)")
        #expect(explanation.isSurfaced)
        #expect(explanation.gates.first { $0.gate == vector.gate }?.status == .pass)
        #expect(device.shelf(of: vector.app).contains(url))
    }
}

extension SharingDevice {
    /// The number of removals from lists.
    fileprivate var withdrawals: Int {
        updates.flatMap(\.changes).filter { $0.change == .removed }.count
    }
}
