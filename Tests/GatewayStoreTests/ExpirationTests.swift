import GatewayStore
import Testing
import WaypostSchema

@Suite struct ExpirationTests {
    private var records = GatewayRecords.example

    @Test(
        arguments: [
            (1, .expired), (99, .expired), (100, .expired), (101, .stored), (.max, .stored), (nil, .stored),
        ] as [(Int?, DeliveryState)]
    )
    mutating func pastExpirationIsNotStored(expiration: Int?, _ state: DeliveryState) {
        let changes = records.take(.example("n1", expiration: expiration))
        #expect(records.states() == [state: 1])
        #expect(records.inbox("home") == (state == .stored ? ["n1"] : []))
        #expect(changes == .init(agents: state == .stored ? ["home"] : [], batches: state.isFinal ? ["batch"] : []))
    }

    @Test mutating func deviceThatIsConnectedDoesNotGetWhatExpired() {
        records.take(.example("n1", expiration: 99), connected: ["home"])
        #expect(records.inbox("home").isEmpty)
        #expect(records.states() == [.expired: 1])
    }

    @Test(
        arguments: [(100_000, false), (199_999, false), (200_000, true), (200_001, true)] as [(Int, Bool)]
    )
    mutating func readLeavesOutWhatExpired(milliseconds: Int, isExpired: Bool) {
        records.take(.example("brief", expiration: 200), .example("lasting", expiration: 300), .example("eternal"))
        let now = Timestamp(milliseconds: milliseconds)
        let (page, changes) = records.read("home", after: 0, limit: .max, at: now)
        #expect(page.map(\.notification.id) == (isExpired ? ["lasting", "eternal"] : ["brief", "lasting", "eternal"]))
        #expect(changes == GatewayRecords.Changes(batches: isExpired ? ["batch"] : []))
        #expect(records.states() == (isExpired ? [.stored: 2, .expired: 1] : [.stored: 3]))
    }

    @Test(
        arguments: [(199_999, false), (200_000, true)] as [(Int, Bool)]
    )
    mutating func statusCountsWhatExpired(milliseconds: Int, isExpired: Bool) {
        records.take(.example("n1", expiration: 200), .example("n2", to: "laptop", expiration: 200))
        let status = records.status(of: "batch", at: Timestamp(milliseconds: milliseconds))
        #expect(status?.states == (isExpired ? [.expired: 2] : [.stored: 2]))
        #expect(records.inbox("home") == (isExpired ? [] : ["n1"]))
    }

    @Test mutating func expirationIsOfTheReadingAgentAlone() {
        records.take(.example("n1", expiration: 200), as: "home")
        records.take(.example("n2", to: "laptop", expiration: 200), as: "away")
        let (_, changes) = records.read("home", after: 0, limit: .max, at: Timestamp(milliseconds: 200_000))
        #expect(changes == GatewayRecords.Changes(batches: ["home"]))
        #expect(records.states(of: "away") == [.stored: 1])
    }

    @Test mutating func expirationIsNotedOnce() {
        records.take(.example("n1", expiration: 200))
        let late = Timestamp(milliseconds: 200_000)
        #expect(records.read("home", after: 0, limit: .max, at: late).changes == .init(batches: ["batch"]))
        #expect(records.read("home", after: 0, limit: .max, at: late).changes == .init())
        #expect(records.status(of: "batch", at: late)?.states == [.expired: 1])
    }

    @Test mutating func cursorAndLimitDoNotHideWhatExpires() throws {
        records.take(.example("n1", expiration: 200), .example("n2"), .example("n3", expiration: 200))
        let cursor = try #require(records.sequence(of: "n1"))
        let (page, _) = records.read("home", after: cursor, limit: 1, at: Timestamp(milliseconds: 200_000))
        #expect(page.map(\.notification.id) == ["n2"])
        #expect(records.states() == [.stored: 1, .expired: 2])
    }

    @Test mutating func whatExpiredCannotBeAcknowledged() throws {
        records.take(.example("n1", expiration: 200))
        let sequence = try #require(records.sequence(of: "n1"))
        _ = records.read("home", after: 0, limit: .max, at: Timestamp(milliseconds: 200_000))
        #expect(records.acknowledge("home", [sequence]).count == 0)
        #expect(records.states() == [.expired: 1])
    }

    @Test mutating func expirationsPassOneAfterTheOther() {
        records.take(
            .example("n1", expiration: 400),
            .example("n2", expiration: 200),
            .example("n3"),
            .example("n4", expiration: 300)
        )
        let left = [150, 200, 250, 300, 350, 400, 1_000_000].map { seconds in
            records.read("home", after: 0, limit: .max, at: Timestamp(milliseconds: seconds * 1_000)).page.count
        }
        #expect(left == [4, 3, 3, 2, 2, 1, 1])
    }

    @Test mutating func slotIsFreeOnceItsNotificationExpired() {
        records.take(.example("old", expiration: 200, collapseID: "crusty"), as: "old")
        _ = records.read("home", after: 0, limit: .max, at: Timestamp(milliseconds: 200_000))
        let changes = records.take(.example("new", collapseID: "crusty"), at: Timestamp(milliseconds: 200_000))
        #expect(changes == GatewayRecords.Changes(agents: ["home"]))
        #expect(records.states(of: "old") == [.expired: 1])
    }
}
