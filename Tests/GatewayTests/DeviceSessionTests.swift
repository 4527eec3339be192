import GatewayStore
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite struct DeviceSessionTests {
    /// A stream behind `start`, with `flights` in the air.
    static func session(after start: Int = 0, inheriting flights: [Int] = []) -> DeviceSession {
        DeviceSession(number: 1, after: start, inheriting: StoredNotification.examples(flights)) { _ in }
    }

    /// Sends a page of the inbox that was read where the stream is now.
    static func send(_ page: [Int], on session: inout DeviceSession) -> [Int] {
        session.send(StoredNotification.examples(page), readBehind: session.position).map(\.sequence)
    }

    @Test func aPageMovesTheStreamBehindItsLastNotification() {
        var session = Self.session(after: 4)
        #expect(session.position.sequence == 4)
        #expect(Self.send([5, 9], on: &session) == [5, 9])
        #expect(session.position.sequence == 9)
        #expect(Self.send([], on: &session).isEmpty)
        #expect(session.position.sequence == 9)
    }

    @Test func afterARewindOnlyWhatWasNotSentIsSent() {
        var session = Self.session(after: 4)
        _ = Self.send([5, 9], on: &session)
        session.rewind()
        #expect(session.position.sequence == 0)
        #expect(Self.send([5, 6, 9, 10], on: &session) == [6, 10])
        #expect(session.position.sequence == 10)
    }

    /// The page may be the first one, which is read where a rewind leads to as well.
    @Test(arguments: [[], [3]]) func aRewindWhileAPageIsReadIsNotForgotten(_ earlier: [Int]) {
        var session = Self.session()
        if !earlier.isEmpty { _ = Self.send(earlier, on: &session) }
        let position = session.position
        session.rewind()
        #expect(session.send(StoredNotification.examples([7]), readBehind: position).map(\.sequence) == [7])
        #expect(session.position.sequence == 0)
        #expect(Self.send([3, 5, 7], on: &session) == (earlier.isEmpty ? [3, 5] : [5]))
    }

    @Test func aCumulativeAcknowledgementCoversWhatWasSentAndNothingThatWasHeldBack() {
        var session = Self.session(after: 4)
        session.add(.example(8))
        _ = Self.send([5, 9], on: &session)
        session.add(.example(7))
        #expect(session.covered(upTo: 4) == [])
        #expect(session.covered(upTo: 6) == [5])
        #expect(session.covered(upTo: 9) == [5, 8, 9])
        #expect(session.covered(upTo: 100) == [5, 8, 9])
        session.forget(5)
        #expect(session.covered(upTo: 100) == [8, 9])
    }

    /// What is now or never has a great sequence and is sent first.
    @Test func aCumulativeAcknowledgementDoesNotCoverWhatWasSentBehindIt() {
        var session = Self.session()
        session.add(.example(8))
        _ = Self.send([5, 6], on: &session)
        #expect(session.covered(upTo: 8) == [8])
        #expect(session.covered(upTo: 6) == [5, 6])
        session.rewind()
        _ = Self.send([2, 5, 6], on: &session)
        #expect(session.covered(upTo: 6) == [5, 6])
    }

    @Test func whatLeavesTheInboxWhileItsPageIsReadIsNotSent() {
        var session = Self.session()
        let position = session.beginReading()
        session.forget(6)
        #expect(session.send(StoredNotification.examples([5, 6]), readBehind: position).map(\.sequence) == [5])
        #expect(session.sent.keys.sorted() == [5])
        #expect(Self.send([6], on: &session) == [6])
    }

    @Test func whatIsNowOrNeverIsSentOnceAndBeforeThePage() {
        var session = Self.session(inheriting: [2])
        session.add(.example(8))
        #expect(Self.send([5], on: &session) == [2, 8, 5])
        #expect(Self.send([6], on: &session) == [6])
        #expect(session.position.sequence == 6)
        #expect(session.sent.keys.sorted() == [5, 6])
        #expect(session.flights.map(\.sequence) == [2, 8])
    }

    @Test func onlyWhatWasSentLands() {
        var session = Self.session()
        session.add(.example(2))
        _ = Self.send([1], on: &session)
        session.add(.example(3))
        #expect(session.land([1, 2, 3, 4]).map(\.sequence) == [2])
        #expect(session.land([2]).isEmpty)
        #expect(session.flights.map(\.sequence) == [3])
    }

    @Test func whatItsDeviceDoesNotTakeAnyMoreLeavesTheAir() {
        var session = Self.session()
        session.add(.example(1, token: "aa"))
        session.add(.example(2, token: "bb"))
        _ = Self.send([], on: &session)
        session.add(.example(3, token: "aa"))
        session.add(.example(4, token: "bb"))
        let ended = session.endFlights { $0.notification.token == "aa" }
        #expect(ended.map(\.sequence) == [1, 3])
        #expect(session.flights.map(\.sequence) == [2, 4])
        #expect(session.covered(upTo: 10) == [2])
        #expect(Self.send([], on: &session) == [4])
    }

    /// An inbox behind a stream: pages are read in two steps, and anything may happen between them.
    @Test(arguments: 0..<50 as Range<UInt64>) func everythingInTheInboxIsSentOnce(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var session = Self.session()
        var inbox: [Int] = []
        var held: Set<Int> = []
        var sent: [Int] = []
        func readable(_ position: DeviceSession.Position) -> [Int] {
            Array(inbox.filter { $0 > position.sequence && !held.contains($0) }.prefix(3))
        }
        for sequence in 1...60 {
            inbox.append(sequence)
            if Int.random(in: 0..<3, using: &generator) == 0 { held.insert(sequence) }
            let position = session.position
            let page = readable(position)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                held = []
                session.rewind()
            }
            sent += session.send(StoredNotification.examples(page), readBehind: position).map(\.sequence)
        }
        held = []
        session.rewind()
        while case let page = readable(session.position), !page.isEmpty { sent += Self.send(page, on: &session) }
        #expect(sent.sorted() == inbox)
        #expect(session.covered(upTo: .max) == inbox)
    }
}
