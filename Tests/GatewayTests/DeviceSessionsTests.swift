import GatewayStore
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite struct DeviceSessionsTests {
    static let agent = AgentID.example(1)
    static let other = AgentID.example(2)

    static func end(_ batch: Int, _ state: DeliveryState, _ count: Int) -> FlightEnd {
        FlightEnd(batch: BatchNumber(rawValue: batch), state: state, count: count)
    }

    static func flight(_ sequence: Int, batch: Int = 1, token: DeviceToken = "aa", to agent: AgentID = agent) -> Flight
    {
        Flight(agent: agent, notification: .example(sequence, batch: batch, token: token))
    }

    /// Sends a page on the stream where it is now.
    static func send(_ page: [StoredNotification], _ number: Int, on sessions: inout DeviceSessions) -> [Int] {
        guard let position = sessions.beginReading(agent, number: number) else { return [] }
        return sessions.send(page, readBehind: position, to: agent, number: number).map(\.sequence)
    }

    @Test func aStreamThatWasTakenOverHasNoSay() throws {
        var sessions = DeviceSessions()
        let first = sessions.open(Self.agent, after: 0) { _ in }
        #expect(first.predecessor == nil)
        let reading = sessions.beginReading(Self.agent, number: first.number)
        let position = try #require(reading)
        let second = sessions.open(Self.agent, after: 5) { _ in }
        #expect(second.predecessor != nil)
        #expect(second.number != first.number)
        let (gone, here) = (
            sessions.beginReading(Self.agent, number: first.number),
            sessions.beginReading(Self.agent, number: second.number)
        )
        #expect(gone == nil)
        #expect(here?.sequence == 5)
        let late = sessions.send([.example(9)], readBehind: position, to: Self.agent, number: first.number)
        #expect(late.isEmpty)
        #expect(sessions.covered(Self.agent, upTo: 100) == [])
        #expect(sessions.close(Self.agent, number: first.number) == nil)
        #expect(sessions.openAgents == [Self.agent])
        #expect(sessions.close(Self.agent, number: second.number) == [])
        #expect(sessions.openAgents.isEmpty)
    }

    @Test func aStreamThatTakesOverSendsWhatIsInTheAirAgain() {
        var sessions = DeviceSessions()
        let first = sessions.open(Self.agent, after: 0) { _ in }.number
        #expect(sessions.add([Self.flight(1), Self.flight(2)]).isEmpty)
        #expect(Self.send([.example(3)], first, on: &sessions) == [1, 2, 3])
        #expect(sessions.add([Self.flight(4)]).isEmpty)
        #expect(sessions.acknowledge(Self.agent, [1]) == [Self.end(1, .acknowledged, 1)])
        let second = sessions.open(Self.agent, after: 0) { _ in }.number
        #expect(sessions.sentCounts(of: BatchNumber(rawValue: 1)) == (0, 0))
        #expect(Self.send([.example(3)], second, on: &sessions) == [2, 4, 3])
    }

    @Test func whatIsInTheAirIsDroppedWithItsStreamBatchByBatch() {
        var sessions = DeviceSessions()
        let number = sessions.open(Self.agent, after: 0) { _ in }.number
        _ = sessions.add([Self.flight(1), Self.flight(2, batch: 2), Self.flight(3)])
        _ = Self.send([.example(4)], number, on: &sessions)
        _ = sessions.add([Self.flight(5, batch: 2)])
        let dropped = sessions.close(Self.agent, number: number)?.sorted { $0.batch.rawValue < $1.batch.rawValue }
        #expect(dropped == [Self.end(1, .dropped, 2), Self.end(2, .dropped, 2)])
        #expect(sessions.close(Self.agent, number: number) == nil)
    }

    @Test func whatComesForAClosedStreamIsDroppedAtOnce() {
        var sessions = DeviceSessions()
        _ = sessions.open(Self.agent, after: 0) { _ in }
        let dropped = sessions.add([Self.flight(1), Self.flight(2, to: Self.other), Self.flight(3, to: Self.other)])
        #expect(dropped == [Self.end(1, .dropped, 2)])
    }

    @Test func acknowledgementsLandWhatIsNowOrNeverAndForgetTheRest() {
        var sessions = DeviceSessions()
        let number = sessions.open(Self.agent, after: 0) { _ in }.number
        _ = sessions.add([Self.flight(1)])
        _ = Self.send([.example(2)], number, on: &sessions)
        #expect(sessions.covered(Self.agent, upTo: 100) == [1, 2])
        #expect(sessions.acknowledge(Self.other, [1, 2]).isEmpty)
        #expect(sessions.acknowledge(Self.agent, [1, 2, 3]) == [Self.end(1, .acknowledged, 1)])
        #expect(sessions.covered(Self.agent, upTo: 100) == [])
        #expect(sessions.close(Self.agent, number: number) == [])
    }

    @Test func whatAnUnregisteredDeviceHadInTheAirIsCountedSo() {
        var sessions = DeviceSessions()
        let number = sessions.open(Self.agent, after: 0) { _ in }.number
        _ = sessions.add([Self.flight(1, token: "aa"), Self.flight(2, token: "bb"), Self.flight(3, token: "aa")])
        #expect(sessions.endFlights(of: Self.agent) { $0.token == "aa" } == [Self.end(1, .unregistered, 2)])
        #expect(sessions.endFlights(of: Self.other) { _ in true }.isEmpty)
        #expect(Self.send([], number, on: &sessions) == [2])
    }

    @Test func countsAreOfWhatWasSentAndNotAcknowledged() {
        var sessions = DeviceSessions()
        let number = sessions.open(Self.agent, after: 0) { _ in }.number
        _ = sessions.open(Self.other, after: 0) { _ in }
        _ = sessions.add([Self.flight(1), Self.flight(2, batch: 2), Self.flight(3, to: Self.other)])
        let page = [StoredNotification.example(4), .example(5), .example(6, batch: 2)]
        _ = Self.send(page, number, on: &sessions)
        #expect(sessions.sentCounts(of: BatchNumber(rawValue: 1)) == (2, 1))
        #expect(sessions.sentCounts(of: BatchNumber(rawValue: 2)) == (1, 1))
        #expect(sessions.sentCounts(of: BatchNumber(rawValue: 3)) == (0, 0))
        let departure = StoreChanges.Departure(
            agent: Self.agent,
            sequence: 4,
            batch: BatchNumber(rawValue: 1),
            state: .collapsed
        )
        sessions.forget([departure])
        #expect(sessions.sentCounts(of: BatchNumber(rawValue: 1)) == (1, 1))
        _ = sessions.close(Self.agent, number: number)
        #expect(sessions.sentCounts(of: BatchNumber(rawValue: 1)) == (0, 0))
    }

    @Test func onlyOpenStreamsAreSignalled() {
        var sessions = DeviceSessions()
        _ = sessions.open(Self.agent, after: 0) { _ in }
        #expect(sessions.signals(of: [Self.agent, Self.other]).count == 1)
        #expect(sessions.signals(of: []).isEmpty)
    }

    @Test func theStreamsOfOneNamespaceEndTogether() {
        var sessions = DeviceSessions()
        let elsewhere = AgentID.example(3, in: "elsewhere")
        for agent in [Self.agent, Self.other, elsewhere] { _ = sessions.open(agent, after: 0) { _ in } }
        #expect(sessions.endAll(in: .standard).count == 2)
        #expect(sessions.openAgents == [elsewhere])
    }

    /// Whatever happens, what is now or never ends exactly once.
    @Test(arguments: 0..<50 as Range<UInt64>) func everyFlightEndsOnce(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var sessions = DeviceSessions()
        var number = 0
        var (added, ended) = (0, 0)
        for sequence in 1...200 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: number = sessions.open(Self.agent, after: sequence) { _ in }.number
            case 1:
                let token: DeviceToken = Bool.random(using: &generator) ? "aa" : "bb"
                added += 1
                ended += Self.total(sessions.add([Self.flight(sequence, token: token)]))
            case 2: _ = Self.send([], number, on: &sessions)
            case 3:
                let acknowledged = (0..<3).map { _ in Int.random(in: 1...sequence, using: &generator) }
                ended += Self.total(sessions.acknowledge(Self.agent, acknowledged))
            case 4: ended += Self.total(sessions.endFlights(of: Self.agent) { $0.token == "bb" })
            default:
                // A late word of a stream that was taken over changes nothing.
                let closing = Bool.random(using: &generator) ? number : number - 1
                ended += Self.total(sessions.close(Self.agent, number: closing) ?? [])
            }
        }
        ended += Self.total(sessions.close(Self.agent, number: number) ?? [])
        #expect(added == ended)
        #expect(added > 0)
    }

    static func total(_ ends: [FlightEnd]) -> Int {
        ends.reduce(0) { $0 + $1.count }
    }
}
