import Testing
import WaypostSchema

@testable import campaigns

/// The rules of the crash model about batches that were answered before they were stored.
@Suite struct CrashPendingBatchTests {
    private static let batch: BatchID = "b"

    private static func items(
        isAddedByEachRequest: Bool = true,
        _ expectations: CrashItem.Expectation...
    ) -> [CrashItem] {
        expectations.enumerated().map { number, expectation in
            CrashItem(
                "n\(number)",
                id: NotificationID(rawValue: "id-n\(number)"),
                sender: "s",
                number: number,
                devices: ["iPad"],
                isAddedByEachRequest: isAddedByEachRequest,
                expectation: expectation
            )
        }
    }

    private static func status(
        _ phase: BatchStatus.Phase,
        accepted: Int,
        rejected indexes: Int...
    ) -> BatchStatus {
        BatchStatus(
            id: batch,
            phase: phase,
            accepted: accepted,
            rejected: indexes.count,
            states: [:],
            results: indexes.map { ItemResult(index: $0, line: $0 + 1, status: 400, reason: "BadDeviceToken") }
        )
    }

    /// Returns a model of a gateway that answered a batch with 202.
    private static func model(_ items: [CrashItem]) -> CrashModel {
        var model = CrashModel()
        model.startGateway()
        model.begin(items)
        model.queue(batch)
        return model
    }

    private static func log(_ items: [CrashItem]) -> [NotificationRecord] {
        items.enumerated().map { number, item in
            NotificationRecord(
                sequence: number + 1,
                id: item.id,
                batch: batch,
                token: "c0ff",
                state: .acknowledged,
                history: [DeliveryStep(.acknowledged, at: Timestamp(milliseconds: 0))]
            )
        }
    }

    @Test(arguments: [(false, 1), (true, 0)])
    func onlyAKilledGatewayLosesAPendingBatch(wasKilled: Bool, violations: Int) {
        let items = Self.items(.acceptance)
        var model = Self.model(items)
        if wasKilled { model.startGateway() }
        model.endWaiting(of: Self.batch, items, as: nil)
        #expect(model.violations.count == violations)
        #expect(model.findings(in: [], of: .standard).isEmpty)
    }

    @Test func lostBatchWithoutAKeyMustNotBeInTheLog() {
        let items = Self.items(.acceptance)
        var model = Self.model(items)
        model.startGateway()
        model.endWaiting(of: Self.batch, items, as: nil)
        let findings = model.findings(in: Self.log(items), of: .standard)
        #expect(findings.contains { $0.contains("the log has n0 1 times instead of 0 to 0") })
    }

    @Test func lostBatchWithAKeyMayBeSentAgain() {
        let items = Self.items(isAddedByEachRequest: false, .acceptance)
        var model = Self.model(items)
        model.startGateway()
        model.endWaiting(of: Self.batch, items, as: nil)
        model.begin(items)
        model.queue("c")
        model.endWaiting(of: "c", items, as: Self.status(.committed, accepted: 1))
        #expect(model.violations.isEmpty)
        #expect(model.findings(in: [], of: .standard).count == 1)
    }

    @Test func storedBatchMustStay() {
        let items = Self.items(.acceptance, .rejection)
        var model = Self.model(items)
        model.endWaiting(of: Self.batch, items, as: Self.status(.committed, accepted: 1, rejected: 1))
        #expect(model.violations.isEmpty)
        #expect(model.findings(in: [], of: .standard) == ["the log has n0 0 times instead of 1 to 1"])
    }

    @Test func itemThatTheStatusDoesNotCountIsFound() {
        let items = Self.items(.acceptance, .acceptance)
        var model = Self.model(items)
        model.endWaiting(of: Self.batch, items, as: Self.status(.committed, accepted: 1))
        #expect(model.violations.count == 1)
    }

    @Test(arguments: [(.acceptance, 1), (.rejection, 0)] as [(CrashItem.Expectation, Int)])
    func batchIsRefusedForAReasonOnly(expectation: CrashItem.Expectation, violations: Int) {
        let items = Self.items(.acceptance, expectation)
        var model = Self.model(items)
        model.endWaiting(of: Self.batch, items, as: Self.status(.refused, accepted: 0))
        #expect(model.violations.count == violations)
        #expect(model.findings(in: [], of: .standard).isEmpty)
    }
}
