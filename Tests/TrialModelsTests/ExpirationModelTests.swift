import Testing
import TrialModels

@Suite struct ExpirationModelTests {
    /// A clock that showed 100 s.
    private func model() -> ExpirationModel {
        ExpirationModel(ClockReadings(100_000...100_000))
    }

    private func logged(
        _ id: String,
        _ state: LoggedItem.State,
        sentAt: Int? = nil,
        changedAt: Int
    ) -> LoggedItem {
        LoggedItem(id: id, state: state, sentAt: sentAt, changedAt: changedAt)
    }

    @Test(arguments: [(199_999, true), (200_000, false)]) func streamDeliversWhatHasNotExpiredWhenItOpens(
        _ now: Int,
        _ isAllowed: Bool
    ) {
        var model = model()
        model.send("a", expiration: 200)
        model.readClock(now...now)
        var stream = model.stream()
        let violation = model.receive("a", sequence: 1, on: &stream)
        #expect((violation == nil) == isAllowed)
    }

    /// A delivery may be on its way while the clock moves.
    @Test func expiredItemIsDeliveredBeforeALaterItemOnly() {
        var model = model()
        model.send("a", expiration: 200)
        model.send("b", expiration: 200)
        var stream = model.stream()
        model.readClock(300_000...300_000)
        model.send("c", expiration: nil)
        let violations = ["a", "c", "b"].enumerated().map { model.receive($1, sequence: $0 + 1, on: &stream) }
        #expect(violations.map { $0 == nil } == [true, true, false])
        let order = [1, 2].map { model.receive("a", sequence: $0, on: &stream) == nil }
        #expect(order == [false, false])
    }

    @Test func clockThatGoesBackAllowsDelivery() {
        var model = model()
        model.send("a", expiration: 200)
        model.readClock(300_000...300_000)
        var stream = model.stream()
        model.readClock(150_000...150_000)
        let violation = model.receive("a", sequence: 1, on: &stream)
        #expect(violation == nil)
        let found = model.check([logged("a", .expired, changedAt: 250_000)], isSwept: true)
        #expect(found.isEmpty)
        let later = model.receive("a", sequence: 1, on: &stream)
        #expect(later != nil)
    }

    @Test func firstDeliveriesAreInOrder() {
        var model = model()
        for id in ["a", "b", "c"] { model.send(id, expiration: nil) }
        var stream = model.stream()
        let deliveries = [("b", 2), ("b", 2), ("c", 3), ("b", 2), ("a", 1)]
        let violations = deliveries.map { model.receive($0, sequence: $1, on: &stream) }
        #expect(violations.map { $0 == nil } == [true, true, true, true, false])
        let unsent = model.receive("d", sequence: 4, on: &stream)
        #expect(unsent != nil)
    }

    /// A stream may have skipped an item as expired before the clock went back.
    @Test(arguments: [(199_999, false), (200_000, true)]) func itemThatSeemedExpiredMayFollowLaterOnes(
        _ latest: Int,
        _ isAllowed: Bool
    ) {
        var model = model()
        model.readClock(250_000...250_000)
        model.readClock(100_000...100_000)
        model.send("a", expiration: 200)
        model.send("b", expiration: nil)
        model.readClock(latest...latest)
        var stream = model.stream()
        let first = model.receive("b", sequence: 2, on: &stream)
        model.readClock(100_000...100_000)
        var next = model.stream()
        let violation = model.receive("a", sequence: 1, on: &next)
        #expect(first == nil)
        #expect((violation == nil) == isAllowed)
    }

    @Test(
        arguments: [
            (200_000, .expired, 200_000, nil, true), (300_000, .expired, 300_000, 150_000, true),
            // Early, by the clock or by the log.
            (199_999, .expired, 200_000, nil, false), (300_000, .expired, 199_999, nil, false),
            // Late, sent late, or with another end.
            (200_000, .open, 100_000, nil, false), (199_999, .open, 100_000, nil, true),
            (300_000, .expired, 300_000, 200_000, false), (199_999, .acknowledged, 150_000, 150_000, false),
            (199_999, .other("dropped"), 150_000, nil, false),
        ] as [(Int, LoggedItem.State, Int, Int?, Bool)]
    )
    func logHasExpiredItemsWhenTheyExpire(
        _ expected: (now: Int, state: LoggedItem.State, changedAt: Int, sentAt: Int?, isAllowed: Bool)
    ) {
        var model = model()
        model.send("a", expiration: 200)
        model.readClock(expected.now...expected.now)
        let item = logged("a", expected.state, sentAt: expected.sentAt, changedAt: expected.changedAt)
        let violations = model.check([item], isSwept: true)
        #expect(violations.isEmpty == expected.isAllowed)
    }

    @Test func logHasEveryItemAndNoOther() {
        var model = model()
        model.send("a", expiration: nil)
        let violations = model.check([logged("b", .open, changedAt: 0)], isSwept: true)
        #expect(violations.count == 2)
    }

    @Test func finalStateStays() {
        var model = model()
        model.send("a", expiration: 50)
        let expired = model.check([logged("a", .expired, changedAt: 100_000)], isSwept: true)
        #expect(expired.isEmpty)
        let violations = model.check([logged("a", .open, changedAt: 100_000)], isSwept: false)
        #expect(violations.count == 1)
    }

    @Test func inboxHasNoExpiredItem() {
        var model = model()
        model.send("a", expiration: 200)
        model.send("b", expiration: 300)
        model.readClock(200_000...200_000)
        #expect(model.violations(inInbox: ["a", "b", "c"]).count == 2)
        #expect(model.nextExpirations == [300])
    }
}

@Suite struct KeyLifetimeModelTests {
    private static let day = KeyLifetimeModel.lifetime

    @Test(arguments: [(day - 1, "1", true), (day - 1, "2", false), (day, "2", true), (day, "1", false)])
    func keyIsRememberedForADay(_ expected: (age: Int, batch: String, isAllowed: Bool)) {
        var model = KeyLifetimeModel()
        let first = model.receive("1", with: "key", at: 1_000)
        let second = model.receive(expected.batch, with: "key", at: 1_000 + expected.age)
        #expect(first == nil)
        #expect((second == nil) == expected.isAllowed)
    }

    @Test func lifetimeBeginsWithTheFirstBatch() {
        var model = KeyLifetimeModel()
        _ = model.receive("1", with: "key", at: 0)
        _ = model.receive("1", with: "key", at: Self.day - 1)
        #expect(model.ends == [Self.day])
        let violation = model.receive("2", with: "key", at: Self.day)
        #expect(violation == nil)
    }
}
