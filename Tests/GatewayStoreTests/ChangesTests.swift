import GatewayStore
import Testing
import WaypostSchema

/// What a change tells those who wait: neither more nor less than what happened.
@Suite struct ChangesTests {
    private typealias Changes = GatewayRecords.Changes

    private var records = GatewayRecords.example

    @Test mutating func storingNamesTheAgentsOnce() {
        let changes = records.take(.example("n1"), .example("n2", to: "phone"))
        #expect(changes == Changes(agents: ["home"]))
    }

    @Test mutating func storingNamesEachAgent() {
        let changes = records.take(.example("n1"), .example("n2", to: "laptop"))
        #expect(changes == Changes(agents: ["home", "away"]))
    }

    @Test mutating func refusalsChangeNothing() {
        #expect(records.take(.example("n1", to: "nobody"), .example("n2", for: "photos")) == Changes())
    }

    @Test mutating func collapsingNamesTheBatchOfTheOld() {
        records.take(.example("n1", collapseID: "crusty"), as: "first")
        let changes = records.take(.example("n2", collapseID: "crusty"), as: "second")
        #expect(changes == Changes(agents: ["home"], batches: ["first"]))
    }

    @Test mutating func collapsingWithinABatchNamesIt() {
        let changes = records.take(.example("n1", collapseID: "crusty"), .example("n2", collapseID: "crusty"))
        #expect(changes == Changes(agents: ["home"], batches: ["batch"]))
    }

    @Test mutating func agentsWithoutAnythingNewAreNotNamed() {
        let changes = records.take(
            .example("dropped", expiration: 0),
            .example("expired", to: "phone", expiration: 99),
            .example("stored", to: "laptop"),
        )
        #expect(changes == Changes(agents: ["away"], batches: ["batch"]))
    }

    @Test mutating func acknowledgingNamesEachBatch() {
        records.take(.example("n1"), as: "first")
        records.take(.example("n2"), as: "second")
        records.take(.example("n3"), as: "third")
        let sequences = records.stored("home").map(\.sequence)
        #expect(
            records.acknowledge("home", [sequences[0], sequences[2]]).changes == Changes(batches: ["first", "third"])
        )
        #expect(records.acknowledge("home", in: 0...sequences[2]).1 == Changes(batches: ["second"]))
    }

    @Test mutating func readingNamesTheBatchesOfWhatExpired() {
        records.take(.example("n1", expiration: 200), as: "first")
        records.take(.example("n2", expiration: 201), as: "second")
        records.take(.example("n3"), as: "third")
        let late = Timestamp(milliseconds: 200_999)
        #expect(records.read("home", after: 0, limit: 1, at: late).changes == Changes(batches: ["first"]))
        #expect(records.read("home", after: 0, limit: 1, at: late).changes == Changes())
    }

    @Test mutating func endOfAStreamNamesTheBatchesOfWhatWasDropped() {
        records.take(.example("n1", expiration: 0), as: "first", connected: ["home"])
        records.take(.example("n2"), as: "second", connected: ["home"])
        #expect(records.dropNowOrNever(of: "home") == Changes(batches: ["first"]))
        #expect(records.dropNowOrNever(of: "home") == Changes())
    }
}
