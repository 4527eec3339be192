import GatewayStore
import Testing
import WaypostSchema

@Suite struct AcknowledgementTests {
    private var records = GatewayRecords.example
    private let sequences: [Int]

    init() {
        records.take(.example("n1"), .example("n2", to: "phone"), .example("n3"), .example("n4"))
        records.take(.example("other", to: "laptop"), as: "other")
        sequences = records.stored("home").map(\.sequence)
    }

    @Test mutating func acknowledgedNotificationsLeaveTheInbox() {
        let (count, _) = records.acknowledge("home", [sequences[2], sequences[0]])
        #expect(count == 2)
        #expect(records.inbox("home") == ["n2", "n4"])
        #expect(records.states() == [.stored: 2, .acknowledged: 2])
    }

    @Test mutating func repeatingCountsNothing() {
        _ = records.acknowledge("home", [sequences[1]])
        let (count, changes) = records.acknowledge("home", [sequences[1]])
        #expect(count == 0)
        #expect(changes == GatewayRecords.Changes())
        #expect(records.states() == [.stored: 3, .acknowledged: 1])
    }

    @Test mutating func sequenceThatIsGivenTwiceCountsOnce() {
        #expect(records.acknowledge("home", [sequences[1], sequences[1]]).count == 1)
        #expect(records.states() == [.stored: 3, .acknowledged: 1])
    }

    @Test(arguments: [Int.min, -1, 0, 1_000_000, .max])
    mutating func unknownSequenceCountsNothing(sequence: Int) {
        let (count, changes) = records.acknowledge("home", [sequence])
        #expect(count == 0)
        #expect(changes == GatewayRecords.Changes())
        #expect(records.inbox("home").count == 4)
    }

    @Test mutating func unknownSequenceDoesNotHinderTheOthers() {
        #expect(records.acknowledge("home", [-1, sequences[3], 1_000_000, sequences[0]]).count == 2)
        #expect(records.inbox("home") == ["n2", "n3"])
    }

    @Test mutating func sequencesOfAnotherAgentAreNotTouched() throws {
        let other = try #require(records.sequence(of: "other", in: "away"))
        #expect(records.acknowledge("home", [other]).count == 0)
        #expect(records.acknowledge("home", in: other...other).0 == 0)
        #expect(records.acknowledge("nobody", [other]).count == 0)
        #expect(records.acknowledge("nobody", in: 0...Int.max).0 == 0)
        #expect(records.inbox("away") == ["other"])
        #expect(records.states(of: "other") == [.stored: 1])
    }

    @Test(
        arguments: [
            (0...0, ["n2", "n3", "n4"]),
            (1...2, ["n1", "n4"]),
            (0...3, []),
            (3...3, ["n1", "n2", "n3"]),
        ] as [(ClosedRange<Int>, [NotificationID])]
    )
    mutating func rangeIsAcknowledgedWithBothItsEnds(_ indices: ClosedRange<Int>, _ left: [NotificationID]) {
        let range = sequences[indices.lowerBound]...sequences[indices.upperBound]
        #expect(records.acknowledge("home", in: range).0 == indices.count)
        #expect(records.inbox("home") == left)
    }

    @Test mutating func rangeMayBeWiderThanTheInbox() {
        #expect(records.acknowledge("home", in: -1_000...Int.max).0 == 4)
        #expect(records.inbox("home").isEmpty)
        #expect(records.inbox("away") == ["other"])
    }

    @Test mutating func rangeCountsOnlyWhatIsStillThere() {
        _ = records.acknowledge("home", [sequences[1]])
        let range = sequences[0]...sequences[2]
        #expect(records.acknowledge("home", in: range).0 == 2)
        #expect(records.acknowledge("home", in: range) == (0, GatewayRecords.Changes()))
        #expect(records.states() == [.stored: 1, .acknowledged: 3])
    }

    @Test(arguments: [-9...0, 1_000...2_000])
    mutating func rangeOutsideTheInboxCountsNothing(_ range: ClosedRange<Int>) {
        #expect(records.acknowledge("home", in: range) == (0, GatewayRecords.Changes()))
        #expect(records.inbox("home").count == 4)
    }

    @Test mutating func whatIsAcknowledgedLateIsAcknowledged() throws {
        records.take(.example("brief", expiration: 200), as: "brief")
        let sequence = try #require(records.sequence(of: "brief"))
        #expect(records.acknowledge("home", [sequence]).count == 1)
        let status = records.status(of: "brief", at: Timestamp(milliseconds: 300_000))
        #expect(status?.states == [.acknowledged: 1])
    }
}
