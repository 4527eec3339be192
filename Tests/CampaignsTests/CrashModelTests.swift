import Testing
import WaypostSchema

@testable import campaigns

/// The model of the crash campaign finds each broken promise in made-up observations.
@Suite struct CrashModelTests {
    private static let batch: BatchID = "b"

    private static func delivery(_ name: String, sequence: Int) -> DeliveredNotification {
        DeliveredNotification(
            sequence: sequence,
            id: NotificationID(rawValue: "id-\(name)"),
            token: "c0ff",
            topic: "com.example.clowntown",
            pushType: .alert,
            priority: 10,
            payload: .object(["name": .string(name)])
        )
    }

    private static func record(
        _ name: String,
        sequence: Int,
        _ states: DeliveryState...,
        collapseID: CollapseIdentifier? = nil
    ) -> NotificationRecord {
        NotificationRecord(
            sequence: sequence,
            id: NotificationID(rawValue: "id-\(name)"),
            batch: batch,
            token: "c0ff",
            collapseID: collapseID,
            state: states.last ?? .stored,
            history: states.map { DeliveryStep($0, at: Timestamp(milliseconds: 0)) }
        )
    }

    /// Returns a model in which the items 0 to `count` - 1 of a sender were sent, and the first ones confirmed.
    private static func model(
        _ count: Int,
        confirmed: Int,
        change: (inout CrashItem) -> Void = { _ in }
    ) -> CrashModel {
        var model = CrashModel()
        model.add(device: "iPad", of: "receiver")
        for number in 0..<count {
            var item = CrashItem("n\(number)", sender: "s", number: number, devices: ["iPad"])
            change(&item)
            model.begin([item])
            if number < confirmed { model.accept(item.name, id: NotificationID(rawValue: "id-n\(number)")) }
        }
        return model
    }

    @Test func deliveryAndAcknowledgementOfEachItemHaveNoViolation() {
        var model = Self.model(2, confirmed: 2)
        let stream = model.openStream(in: .standard)
        for number in 0..<2 {
            model.deliver(Self.delivery("n\(number)", sequence: number + 1), to: "receiver", on: stream)
        }
        model.acknowledge([1, 2], count: 2, by: "receiver", on: stream)
        let log = [
            Self.record("n0", sequence: 1, .stored, .sent, .acknowledged),
            Self.record("n1", sequence: 2, .stored, .sent, .acknowledged),
        ]
        #expect(model.violations.isEmpty)
        #expect(model.findings(in: log, of: .standard).isEmpty)
        let status = BatchStatus(id: Self.batch, accepted: 2, rejected: 0, states: [.acknowledged: 2])
        #expect(model.findings(in: [Self.batch: status], log: log).isEmpty)
        #expect(CrashModel.counterFindings([.acknowledged: 2], from: [], to: log).isEmpty)
    }

    @Test func lostItemIsFoundIfItWasConfirmed() {
        #expect(Self.model(1, confirmed: 1).findings(in: [], of: .standard).count == 1)
        #expect(Self.model(1, confirmed: 0).findings(in: [], of: .standard).isEmpty)
        #expect(Self.model(1, confirmed: 1).inboxFindings(of: "iPad", []).count == 1)
        #expect(Self.model(1, confirmed: 0).inboxFindings(of: "iPad", ["n0"]).isEmpty)
    }

    @Test func itemThatIsStoredTwiceIsFoundIfItsKeyForbidsThat() {
        let log = [1, 2].map { Self.record("n0", sequence: $0, .stored, .dropped) }
        for (isAdded, expected) in [(true, 0), (false, 1)] {
            var model = Self.model(1, confirmed: 1) { item in
                (item.isAddedByEachRequest, item.expiration) = (isAdded, 0)
            }
            for item in model.items.values.map(\.item) {
                model.begin([item])
                model.accept(item.name, id: item.id)
            }
            #expect(model.findings(in: log, of: .standard).count == expected)
        }
    }

    @Test func itemThatComesBackIsFound() {
        var model = Self.model(1, confirmed: 1)
        let first = model.openStream(in: .standard)
        model.deliver(Self.delivery("n0", sequence: 1), to: "receiver", on: first)
        model.acknowledge([1], count: 1, by: "receiver", on: first)
        let second = model.openStream(in: .standard)
        model.deliver(Self.delivery("n0", sequence: 1), to: "receiver", on: second)
        #expect(model.violations == ["n0 (1) came back after it was acknowledged"])
    }

    @Test func repeatedDeliveryIsAllowedAfterAnAcknowledgementWithoutAnswer() {
        var model = Self.model(1, confirmed: 1)
        for _ in 0..<2 {
            let stream = model.openStream(in: .standard)
            model.deliver(Self.delivery("n0", sequence: 1), to: "receiver", on: stream)
            model.acknowledgeWithoutAnswer([1], by: "receiver")
        }
        #expect(model.violations.isEmpty)
        #expect(model.duplicates == 1)
    }

    @Test func wrongOrderIsFoundOnTheStreamAndInTheLog() {
        var model = Self.model(2, confirmed: 2)
        let stream = model.openStream(in: .standard)
        model.deliver(Self.delivery("n0", sequence: 2), to: "receiver", on: stream)
        model.deliver(Self.delivery("n1", sequence: 1), to: "receiver", on: stream)
        #expect(model.violations.count == 1)
        let log = [
            Self.record("n1", sequence: 1, .stored, .acknowledged),
            Self.record("n0", sequence: 2, .stored, .acknowledged),
        ]
        #expect(model.findings(in: log, of: .standard).count == 1)
    }

    @Test(arguments: [
        ([DeliveryState.stored], 2),
        ([DeliveryState.stored, .expired], 1),
        ([DeliveryState.stored, .collapsed], 1),
        ([DeliveryState.stored, .dropped], 1),
        ([DeliveryState.stored, .acknowledged], 1),
    ])
    func stateWithoutAReasonIsFound(_ states: [DeliveryState], findings: Int) {
        var record = Self.record("n0", sequence: 1, states.last ?? .stored)
        record.history = states.map { DeliveryStep($0, at: Timestamp(milliseconds: 0)) }
        #expect(Self.model(1, confirmed: 1).findings(in: [record], of: .standard).count == findings)
    }

    @Test(
        arguments: [
            (0, CrashItem.Expectation.either, 0), (nil, .either, 1), (0, .acceptance, 1),
        ] as [(Int?, CrashItem.Expectation, Int)]
    )
    func onlyATransientItemMayEndWithTheTokenOfADeviceThatGetsAnother(
        _ expiration: Int?,
        _ expectation: CrashItem.Expectation,
        findings: Int
    ) {
        let model = Self.model(1, confirmed: 1) { ($0.expiration, $0.expectation) = (expiration, expectation) }
        let record = Self.record("n0", sequence: 1, .sent, .unregistered)
        #expect(model.findings(in: [record], of: .standard).count == findings)
    }

    @Test func secondEndIsFoundInTheHistoryAndInTheCounts() {
        let record = Self.record("n0", sequence: 1, .stored, .dropped, .dropped)
        let model = Self.model(1, confirmed: 1) { $0.expiration = 0 }
        #expect(model.findings(in: [record], of: .standard).count == 1)
        let status = BatchStatus(id: Self.batch, accepted: 1, rejected: 0, states: [.dropped: 2, .stored: -1])
        #expect(model.findings(in: [Self.batch: status], log: [record]).count == 1)
        #expect(CrashModel.counterFindings([.dropped: 2], from: [], to: [record]).count == 1)
    }

    @Test func deliveryAfterTheExpirationIsFoundOnALaterStream() {
        var model = Self.model(1, confirmed: 1) { $0.expiration = 10 }
        let early = model.openStream(in: .standard)
        model.read(Timestamp(milliseconds: 10_000), of: .standard)
        let late = model.openStream(in: .standard)
        model.deliver(Self.delivery("n0", sequence: 1), to: "receiver", on: early)
        #expect(model.violations.isEmpty)
        model.deliver(Self.delivery("n0", sequence: 1), to: "receiver", on: late)
        #expect(model.violations.count == 1)
    }

    @Test func clockThatGoesBackIsFound() {
        var model = CrashModel()
        for time in [10_000, 9_000] { model.read(Timestamp(milliseconds: time), of: .standard) }
        #expect(model.violations.count == 1)
    }

    @Test func secondAnswerOfAKeyIsFound() {
        var model = CrashModel()
        let receipt = BatchReceipt(id: Self.batch, accepted: 1, rejected: 0, durability: .fsync, results: [])
        var other = receipt
        other.accepted = 2
        model.record(receipt, isReplayed: false, isFirstRequest: true)
        model.record(receipt, isReplayed: true, isFirstRequest: false)
        #expect(model.violations.isEmpty)
        model.record(other, isReplayed: true, isFirstRequest: false)
        model.checkKey("key", first: Self.batch, later: "c")
        #expect(model.violations.count == 2)
    }

    @Test func receiptThatCountsAnAcknowledgementTwiceIsFound() {
        var model = Self.model(1, confirmed: 1)
        let stream = model.openStream(in: .standard)
        model.deliver(Self.delivery("n0", sequence: 1), to: "receiver", on: stream)
        model.acknowledge([1], count: 2, by: "receiver", on: stream)
        #expect(model.violations.count == 1)
    }

    @Test func itemOfAResetNamespaceMustNotBeThere() {
        var model = Self.model(1, confirmed: 1)
        model.purge(device: "iPad")
        #expect(model.inboxFindings(of: "iPad", []).isEmpty)
        #expect(model.inboxFindings(of: "iPad", ["n0"]).count == 1)
    }
}
