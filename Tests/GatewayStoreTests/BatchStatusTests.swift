import GatewayStore
import Testing
import WaypostSchema

@Suite struct BatchStatusTests {
    private var records = GatewayRecords.example

    @Test mutating func unknownBatchHasNoStatus() {
        #expect(records.status(of: "batch", at: .noon) == nil)
    }

    @Test mutating func emptyBatchHasNoStates() {
        records.take()
        #expect(
            records.status(of: "batch", at: .noon) == BatchStatus(id: "batch", accepted: 0, rejected: 0, states: [:])
        )
    }

    @Test mutating func rejectedIsWhatCameNotThisFarAndWhatWasRefused() {
        _ = records.append(
            [.example("n1", to: "nobody"), .example("n2"), .example("n3", for: "photos")],
            batch: "batch",
            rejected: 4,
            isConnected: { _ in false },
            at: .noon
        )
        let expected = BatchStatus(id: "batch", accepted: 1, rejected: 6, states: [.stored: 1])
        #expect(records.status(of: "batch", at: .noon) == expected)
    }

    @Test mutating func batchOfRefusedItemsIsRemembered() {
        records.take(.example("n1", to: "nobody"))
        #expect(
            records.status(of: "batch", at: .noon) == BatchStatus(id: "batch", accepted: 0, rejected: 1, states: [:])
        )
    }

    @Test mutating func storedIsAbsentOnceNothingIsStored() throws {
        records.take(.example("n1"), .example("n2"))
        let sequences = records.stored("home").map(\.sequence)
        _ = records.acknowledge("home", [sequences[0]])
        #expect(records.states() == [.stored: 1, .acknowledged: 1])
        _ = records.acknowledge("home", [sequences[1]])
        #expect(records.states() == [.acknowledged: 2])
    }

    @Test mutating func statusIsOfOneBatch() {
        records.take(.example("n1"), as: "first")
        records.take(.example("n2"), .example("n3", expiration: 0), as: "second")
        #expect(records.states(of: "first") == [.stored: 1])
        #expect(records.states(of: "second") == [.stored: 1, .dropped: 1])
    }

    @Test mutating func askingChangesNothing() {
        records.take(.example("n1", expiration: 200), .example("n2"))
        let late = Timestamp(milliseconds: 200_000)
        let first = records.status(of: "batch", at: late)
        #expect(records.status(of: "batch", at: late) == first)
        #expect(first?.states == [.stored: 1, .expired: 1])
    }

    @Test mutating func eachAcceptedItemIsInOneStateAtAllTimes() throws {
        func expectSum(_ states: [DeliveryState: Int], _ location: SourceLocation = #_sourceLocation) {
            let status = records.status(of: "batch", at: .dawn)
            #expect(status?.states == states, sourceLocation: location)
            #expect(status?.states.values.reduce(0, +) == status?.accepted, sourceLocation: location)
        }
        records.take(
            .example("acknowledged"),
            .example("collapsed", collapseID: "crusty"),
            .example("expired", expiration: 200),
            .example("dropped", expiration: 0),
            .example("dropped at once", to: "laptop", expiration: 0),
            .example("expired at once", to: "laptop", expiration: 50),
            .example("stored"),
            connected: ["home"]
        )
        expectSum([.stored: 5, .dropped: 1, .expired: 1])
        _ = records.acknowledge("home", [try #require(records.sequence(of: "acknowledged"))])
        expectSum([.stored: 4, .dropped: 1, .expired: 1, .acknowledged: 1])
        records.take(.example("newer", collapseID: "crusty"), as: "later")
        expectSum([.stored: 3, .dropped: 1, .expired: 1, .acknowledged: 1, .collapsed: 1])
        _ = records.read("home", after: 0, limit: 0, at: Timestamp(milliseconds: 200_000))
        expectSum([.stored: 2, .dropped: 1, .expired: 2, .acknowledged: 1, .collapsed: 1])
        _ = records.dropNowOrNever(of: "home")
        expectSum([.stored: 1, .dropped: 2, .expired: 2, .acknowledged: 1, .collapsed: 1])
    }
}
