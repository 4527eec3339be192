import GatewayStore
import Testing
import WaypostSchema

/// Notifications with expiration 0.
@Suite struct NowOrNeverTests {
    private var records = GatewayRecords.example

    @Test mutating func nobodyConnectedMeansDropped() {
        let changes = records.take(.example("n1", expiration: 0), connected: ["away"])
        #expect(changes == GatewayRecords.Changes(batches: ["batch"]))
        #expect(records.inbox("home").isEmpty)
        #expect(records.states() == [.dropped: 1])
    }

    @Test mutating func connectedAgentGetsIt() {
        let changes = records.take(.example("n1", expiration: 0), connected: ["home"])
        #expect(changes == GatewayRecords.Changes(agents: ["home"]))
        #expect(records.inbox("home") == ["n1"])
        #expect(records.states() == [.stored: 1])
    }

    @Test mutating func itDoesNotExpireWhileItIsDelivered() {
        records.take(.example("n1", expiration: 0), connected: ["home"])
        let late = Timestamp(milliseconds: .max)
        #expect(records.read("home", after: 0, limit: .max, at: late).page.count == 1)
        #expect(records.status(of: "batch", at: late)?.states == [.stored: 1])
    }

    @Test mutating func itIsDroppedWhenTheStreamEnds() {
        records.take(
            .example("n1", expiration: 0),
            .example("n2"),
            .example("n3", expiration: 200),
            connected: ["home"]
        )
        #expect(records.dropNowOrNever(of: "home") == GatewayRecords.Changes(batches: ["batch"]))
        #expect(records.inbox("home") == ["n2", "n3"])
        #expect(records.states() == [.stored: 2, .dropped: 1])
    }

    @Test mutating func itIsNotDroppedOnceItIsAcknowledged() throws {
        records.take(.example("n1", expiration: 0), connected: ["home"])
        _ = records.acknowledge("home", [try #require(records.sequence(of: "n1"))])
        #expect(records.dropNowOrNever(of: "home") == GatewayRecords.Changes())
        #expect(records.states() == [.acknowledged: 1])
    }

    @Test mutating func itIsNotAcknowledgedOnceItIsDropped() throws {
        records.take(.example("n1", expiration: 0), connected: ["home"])
        let sequence = try #require(records.sequence(of: "n1"))
        _ = records.dropNowOrNever(of: "home")
        #expect(records.acknowledge("home", [sequence]).count == 0)
        #expect(records.states() == [.dropped: 1])
    }

    @Test mutating func streamOfAnotherAgentDoesNotMatter() {
        records.take(.example("n1", expiration: 0), connected: ["home", "away"])
        #expect(records.dropNowOrNever(of: "away") == GatewayRecords.Changes())
        #expect(records.dropNowOrNever(of: "nobody") == GatewayRecords.Changes())
        #expect(records.inbox("home") == ["n1"])
    }

    @Test mutating func eachItemOfABatchIsJudgedByItsOwnAgent() {
        records.take(
            .example("n1", expiration: 0),
            .example("n2", to: "laptop", expiration: 0),
            .example("n3", to: "phone", expiration: 0),
            connected: ["away"]
        )
        #expect(records.inbox("home").isEmpty)
        #expect(records.inbox("away") == ["n2"])
        #expect(records.states() == [.stored: 1, .dropped: 2])
    }

    @Test mutating func slotIsFreeOnceItIsDropped() {
        records.take(.example("n1", expiration: 0, collapseID: "crusty"), as: "old", connected: ["home"])
        _ = records.dropNowOrNever(of: "home")
        #expect(records.take(.example("n2", collapseID: "crusty")) == GatewayRecords.Changes(agents: ["home"]))
        #expect(records.states(of: "old") == [.dropped: 1])
    }
}
