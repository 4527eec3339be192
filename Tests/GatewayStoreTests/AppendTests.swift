import GatewayStore
import Testing
import WaypostSchema

@Suite struct AppendTests {
    private var records = GatewayRecords.example

    @Test mutating func sequencesGrowAlongABatch() {
        records.take(.example("n1"), .example("n2", to: "phone"), .example("n3"))
        let sequences = records.stored("home").map(\.sequence)
        #expect(sequences.count == 3)
        #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test mutating func sequencesGrowAcrossBatchesAndAgents() throws {
        records.take(.example("n1"), as: "first")
        records.take(.example("n2", to: "laptop"), as: "second")
        records.take(.example("n3"), as: "third")
        let first = try #require(records.sequence(of: "n1"))
        let second = try #require(records.sequence(of: "n2", in: "away"))
        let third = try #require(records.sequence(of: "n3"))
        #expect(first < second)
        #expect(second < third)
    }

    @Test mutating func sequenceOfWhatLeftIsNotUsedAgain() throws {
        records.take(.example("n1"))
        let first = try #require(records.sequence(of: "n1"))
        _ = records.acknowledge("home", [first])
        records.take(.example("n2"), as: "later")
        #expect(try #require(records.sequence(of: "n2")) > first)
    }

    @Test mutating func refusalsAreInInputOrder() {
        let (refusals, _) = records.append(
            [
                .example("n1", to: "nobody"),
                .example("n2"),
                .example("n3", for: "photos"),
                .example("n4", to: "laptop"),
                .example("n5", to: "nobody", for: "photos"),
            ],
            batch: "batch",
            rejected: 0,
            isConnected: { _ in false },
            at: .noon
        )
        #expect(refusals == [.unknownToken, nil, .wrongTopic, nil, .unknownToken])
        #expect(records.inbox("home") == ["n2"])
        #expect(records.inbox("away") == ["n4"])
    }

    @Test mutating func whatIsDroppedOrExpiredIsNotRefused() {
        let (refusals, _) = records.append(
            [.example("n1", expiration: 0), .example("n2", expiration: 1)],
            batch: "batch",
            rejected: 0,
            isConnected: { _ in false },
            at: .noon
        )
        #expect(refusals == [nil, nil])
    }

    @Test mutating func notificationIsStoredAsItCame() {
        let notification = NewNotification(
            id: "n1",
            token: "tablet",
            topic: "notes",
            pushType: "a kind of tomorrow",
            priority: 1,
            expiration: 1_999_999_999,
            collapseID: "crusty",
            payload: Array("{ \"aps\" : {} , \"emoji\":\"🤡\" }\n".utf8)
        )
        records.take(notification, as: "b1")
        #expect(records.stored("home").map(\.notification) == [notification])
        #expect(records.stored("home").map(\.batch) == ["b1"])
    }

    @Test mutating func sameIdentifierTwiceIsTwoNotifications() {
        records.take(.example("n1"), .example("n1"))
        #expect(records.inbox("home") == ["n1", "n1"])
        #expect(records.states() == [.stored: 2])
    }
}
