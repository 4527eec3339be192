import NIOCore
import PushRules
import Synchronization
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway
@testable import GatewayStore

@Suite struct DeviceSessionsTests {
    static let agent = AgentID.example(1)
    static let other = AgentID.example(2)
    static let now = Timestamp(milliseconds: 7)

    static func flight(
        _ sequence: Int,
        batch: Int = 1,
        token: DeviceToken = "aa",
        to agent: AgentID = agent
    ) -> StreamDelivery {
        StreamDelivery(agent: agent, notification: .example(sequence, batch: batch, token: token, isTransient: true))
    }

    /// Opens a stream, later than those before it, and returns its epoch.
    static func open(_ agent: AgentID = agent, on sessions: inout DeviceSessions) -> SessionEpoch {
        let epoch = SessionEpoch(rawValue: count.add(1, ordering: .relaxed).newValue)
        let opening = sessions.open(agent, epoch, after: 0, at: .now()) { _ in }
        #expect(isOpened(opening))
        return epoch
    }

    private static let count = Atomic(0)

    /// Returns streams that share `memory` bytes, and the epoch of the agent's.
    private static func sessions(
        withMemory memory: Int,
        others count: Int = 0
    ) -> (sessions: DeviceSessions, epoch: SessionEpoch) {
        var limits = SessionLimits()
        limits.memory = memory
        var sessions = DeviceSessions(limits: limits)
        let epoch = open(on: &sessions)
        for number in 0..<count { _ = open(.example(10 + number), on: &sessions) }
        return (sessions, epoch)
    }

    private static func isOpened(_ opening: DeviceSessions.OpenResult) -> Bool {
        if case .opened = opening { true } else { false }
    }

    /// Lets a stream with the given inbox send all it can, and returns the sequences that it sent.
    static func send(
        _ inbox: [StoredNotification] = [],
        stream epoch: SessionEpoch,
        on sessions: inout DeviceSessions
    ) -> [Int] {
        let agent = agent
        var sent: [Int] = []
        while true {
            switch sessions.next(agent, epoch, at: .second(0)) {
            case .wait, nil: return sent
            case .send(let notifications): sent += notifications.map(\.sequence)
            case .read(let request):
                let page = inbox.filter { $0.sequence > request.position }
                sent += sessions.receive(page, for: request, of: agent, epoch, at: .second(0)).map(\.sequence)
            }
        }
    }

    /// The memory in KiB, the number of streams, and the share of each in KiB.
    @Test(arguments: [(1_024, 1, 64), (1_024, 16, 32), (1_024, 64, 8), (1_024, 10_000, 4), (0, 0, 4)])
    func streamsShareTheirMemory(memory: Int, count: Int, share: Int) {
        var limits = SessionLimits()
        limits.memory = memory << 10
        #expect(limits.shared(among: count).writeBytes == share << 10)
        #expect(limits.shared(among: count).queueBytes == (count == 1 ? 256 : share) << 10)
        #expect(limits.shared(among: count).window == limits.window)
    }

    @Test func manyStreamsQueueLess() {
        let payload = String(repeating: " ", count: 2_000)
        for others in [0, 7] {
            var (sessions, epoch) = Self.sessions(withMemory: 64 << 10, others: others)
            _ = Self.send(stream: epoch, on: &sessions)
            let notifications = (1...4).map { sequence in
                StreamDelivery(
                    agent: Self.agent,
                    notification: .example(sequence, isTransient: true, payload: payload)
                )
            }
            // A stream alone may queue 32 KiB, and eight streams 4 KiB each.
            let dropped = sessions.add(notifications, at: Self.now)
            #expect(dropped.map(\.sequence) == (others == 0 ? [] : [3, 4]))
        }
    }

    /// Also the largest payload, of a VoIP push.
    @Test func singleNotificationFitsHoweverManyStreamsThereAre() {
        var (sessions, epoch) = Self.sessions(withMemory: 0)
        _ = Self.send(stream: epoch, on: &sessions)
        let payload = String(repeating: " ", count: 5_120)
        let notification = StoredNotification.example(1, isTransient: true, payload: payload)
        let dropped = sessions.add([StreamDelivery(agent: Self.agent, notification: notification)], at: Self.now)
        #expect(dropped.isEmpty)
        let sent = Self.send(stream: epoch, on: &sessions)
        #expect(sent == [1])
    }

    @Test func manyStreamsWriteLessAtOnce() {
        let payload = String(repeating: " ", count: 2_000)
        let inbox = (1...4).map { StoredNotification.example($0, payload: payload) }
        for others in [0, 7] {
            var (sessions, epoch) = Self.sessions(withMemory: 64 << 10, others: others)
            guard case .read(let request) = sessions.next(Self.agent, epoch, at: .second(0)) else {
                Issue.record("it does not read its inbox")
                continue
            }
            let sent = sessions.receive(inbox, for: request, of: Self.agent, epoch, at: .second(0))
            // A stream alone may write 32 KiB at once, and eight streams 4 KiB each.
            #expect(sent.count == (others == 0 ? 4 : 1))
        }
    }

    @Test func replacedStreamIsIgnored() throws {
        var sessions = DeviceSessions()
        let first = Self.open(on: &sessions)
        guard case .read(let request) = sessions.next(Self.agent, first, at: .second(0)) else {
            return #expect(Bool(false))
        }
        let second = Self.open(on: &sessions)
        let gone = sessions.next(Self.agent, first, at: .second(0))
        #expect(gone == nil)
        let late = sessions.receive([.example(9)], for: request, of: Self.agent, first, at: .second(0))
        #expect(late.isEmpty)
        #expect(sessions.sequencesCovered(by: Self.agent, upTo: 100) == [])
        let closing = [first, second].map { sessions.close(Self.agent, $0, at: Self.now) }
        #expect(closing == [nil, DeviceSessions.ClosingReport(ends: [], attempts: [:])])
        #expect(sessions.count == 0)
    }

    @Test func streamOfAnOlderSessionDoesNotReplaceANewerOne() {
        var sessions = DeviceSessions()
        let newer = Self.open(on: &sessions)
        let older = SessionEpoch(rawValue: newer.rawValue - 1)
        let opening = sessions.open(Self.agent, older, after: 0, at: .now()) { _ in }
        #expect(!Self.isOpened(opening))
        #expect(sessions.signals(of: [Self.agent]).count == 1)
        #expect(sessions.next(Self.agent, newer, at: .second(0)) != nil)
    }

    /// Otherwise, the older stream would be open although no store delivers to it.
    @Test func streamOfAnOlderSessionIsNotOpenedAfterANewerOneHasClosed() {
        var sessions = DeviceSessions()
        sessions.beginOpening(Self.agent)
        let newer = Self.open(on: &sessions)
        _ = sessions.close(Self.agent, newer, at: Self.now)
        let older = SessionEpoch(rawValue: newer.rawValue - 1)
        let opening = sessions.open(Self.agent, older, after: 0, at: .now()) { _ in }
        #expect(!Self.isOpened(opening))
        sessions.endOpening(Self.agent)
        let late = sessions.open(Self.agent, older, after: 0, at: .now()) { _ in }
        #expect(Self.isOpened(late))
    }

    @Test func sessionThatIsBeingOpenedDuringAResetGetsNoStream() {
        var sessions = DeviceSessions()
        let reset = AgentID.example(3, in: "elsewhere")
        for agent in [Self.agent, reset] { sessions.beginOpening(agent) }
        _ = sessions.endAll(of: [reset])
        let epoch = SessionEpoch(rawValue: 5)
        let opening = sessions.open(reset, epoch, after: 0, at: .now()) { _ in }
        #expect(!Self.isOpened(opening))
        let other = sessions.open(Self.agent, epoch, after: 0, at: .now()) { _ in }
        #expect(Self.isOpened(other))
    }

    @Test func streamEndsWhenItsAgentHasALaterSessionElsewhere() {
        var sessions = DeviceSessions()
        let epoch = Self.open(on: &sessions)
        let signals = [0, 1].map { sessions.recordSession(SessionEpoch(rawValue: epoch.rawValue + $0), of: Self.agent) }
        #expect(signals.map { $0 != nil } == [false, true])
        #expect(sessions.recordSession(epoch, of: Self.other) == nil)
    }

    /// Otherwise, the older stream would be open although the store delivers to no session.
    @Test func streamOfAnOlderSessionIsNotOpenedAfterANewerOneWasAbandoned() {
        var sessions = DeviceSessions()
        for _ in 0..<2 { sessions.beginOpening(Self.agent) }
        let (older, newer) = (SessionEpoch(rawValue: 1), SessionEpoch(rawValue: 2))
        sessions.recordSession(newer, of: Self.agent)
        sessions.endOpening(Self.agent)
        let opening = sessions.open(Self.agent, older, after: 0, at: .now()) { _ in }
        #expect(!Self.isOpened(opening))
    }

    @Test func replacementStreamSendsUnacknowledgedNotificationsAgain() {
        var sessions = DeviceSessions()
        let first = Self.open(on: &sessions)
        #expect(sessions.add([Self.flight(1), Self.flight(2)], at: Self.now).isEmpty)
        #expect(Self.send([.example(3)], stream: first, on: &sessions) == [1, 2, 3])
        #expect(sessions.add([Self.flight(4)], at: Self.now).isEmpty)
        #expect(sessions.acknowledge(Self.agent, [1], at: Self.now).map(\.sequence) == [1])
        let second = Self.open(on: &sessions)
        #expect(Self.send([.example(3)], stream: second, on: &sessions) == [2, 4, 3])
        #expect(sessions.attempts(of: [3])[3]?.count == 2)
    }

    @Test func closingAStreamDropsTransientNotificationsAndKeepsAttempts() {
        var sessions = DeviceSessions()
        let epoch = Self.open(on: &sessions)
        _ = sessions.add([Self.flight(1), Self.flight(2, batch: 2)], at: Self.now)
        _ = Self.send([.example(4)], stream: epoch, on: &sessions)
        _ = sessions.add([Self.flight(5, batch: 2)], at: Self.now)
        let closing = sessions.close(Self.agent, epoch, at: Self.now)
        #expect(closing?.ends.map(\.sequence) == [1, 2, 5])
        #expect(closing?.ends.map { $0.attempts?.count } == [1, 1, nil])
        #expect(closing?.ends.allSatisfy { $0.state == .dropped && $0.time == Self.now } == true)
        #expect(closing?.attempts == [4: DeliveryAttempts(at: Timestamp(milliseconds: 0))])
        #expect(sessions.unacknowledgedCount == 0)
    }

    @Test func transientNotificationForAClosedStreamIsDropped() {
        var sessions = DeviceSessions()
        _ = Self.open(on: &sessions)
        let stored = StreamDelivery(agent: Self.other, notification: .example(4))
        let dropped = sessions.add([Self.flight(1), Self.flight(2, to: Self.other), stored], at: Self.now)
        #expect(dropped.map(\.sequence) == [2])
    }

    @Test func acknowledgementReturnsTransientNotificationsAndForgetsStoredOnes() {
        var sessions = DeviceSessions()
        let epoch = Self.open(on: &sessions)
        _ = sessions.add([Self.flight(1)], at: Self.now)
        _ = Self.send([.example(2)], stream: epoch, on: &sessions)
        #expect(sessions.sequencesCovered(by: Self.agent, upTo: 100) == [1, 2])
        #expect(sessions.acknowledge(Self.other, [1, 2], at: Self.now).isEmpty)
        #expect(sessions.attempts(of: [1, 2]).count == 2)
        #expect(sessions.acknowledge(Self.agent, [1, 2, 3], at: Self.now).map(\.sequence) == [1])
        #expect(sessions.sequencesCovered(by: Self.agent, upTo: 100) == [])
        #expect(sessions.attempts(of: [1, 2]).isEmpty)
    }

    @Test func transientNotificationsOfAnUnregisteredDeviceEndAsUnregistered() {
        var sessions = DeviceSessions()
        let epoch = Self.open(on: &sessions)
        let flights = [Self.flight(1, token: "aa"), Self.flight(2, token: "bb"), Self.flight(3, token: "aa")]
        _ = sessions.add(flights, at: Self.now)
        let ended = sessions.endTransient(of: Self.agent, at: Self.now) { $0.token == "aa" }
        #expect(ended.map(\.sequence) == [1, 3])
        #expect(ended.allSatisfy { $0.state == .unregistered })
        #expect(sessions.endTransient(of: Self.other, at: Self.now) { _ in true }.isEmpty)
        #expect(Self.send(stream: epoch, on: &sessions) == [2])
    }

    @Test func sentCountsIncludeOnlyUnacknowledgedNotifications() {
        var sessions = DeviceSessions()
        let epoch = Self.open(on: &sessions)
        _ = Self.open(Self.other, on: &sessions)
        _ = sessions.add([Self.flight(1), Self.flight(2, batch: 2), Self.flight(3, to: Self.other)], at: Self.now)
        _ = Self.send([.example(4), .example(5), .example(6, batch: 2)], stream: epoch, on: &sessions)
        #expect(sessions.unacknowledgedCounts(of: BatchNumber(rawValue: 1)) == (2, 1))
        #expect(sessions.unacknowledgedCounts(of: BatchNumber(rawValue: 2)) == (1, 1))
        #expect(sessions.unacknowledgedCounts(of: BatchNumber(rawValue: 3)) == (0, 0))
        let batch = BatchNumber(rawValue: 1)
        let departure = StoreChanges.Removal(agent: Self.agent, sequence: 4, batch: batch, state: .collapsed)
        #expect(sessions.remove([departure]).keys.sorted() == [4])
        #expect(sessions.unacknowledgedCounts(of: batch) == (1, 1))
        _ = sessions.close(Self.agent, epoch, at: Self.now)
        #expect(sessions.unacknowledgedCounts(of: batch) == (0, 0))
    }

    @Test func onlyOpenStreamsAreSignaled() {
        var sessions = DeviceSessions()
        let epoch = Self.open(on: &sessions)
        #expect(sessions.signals(of: [Self.agent, Self.other]).count == 1)
        #expect(sessions.signals(of: []).isEmpty)
        #expect(sessions.signalIfBehind(Self.agent) != nil)
        _ = Self.send(stream: epoch, on: &sessions)
        #expect(sessions.signalIfBehind(Self.agent) == nil)
        sessions.recordNewNotifications(for: [Self.agent, Self.other])
        #expect(sessions.signalIfBehind(Self.agent) != nil)
    }

    @Test func streamsOfDeletedAgentsEndTogether() {
        var sessions = DeviceSessions()
        let elsewhere = AgentID.example(3, in: "elsewhere")
        for agent in [Self.agent, Self.other, elsewhere] { _ = Self.open(agent, on: &sessions) }
        #expect(sessions.endAll(of: [Self.agent, Self.other]).count == 2)
        #expect(sessions.count == 1)
        #expect(sessions.signals(of: [elsewhere]).count == 1)
    }

    /// Every transient notification ends exactly once, in any order of operations.
    @Test(arguments: Trials.seeds(50)) func everyTransientNotificationEndsOnce(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var sessions = DeviceSessions()
        var epoch = SessionEpoch(rawValue: 0)
        var added: [Int] = []
        var ended: [Int] = []
        for sequence in 1...200 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: epoch = Self.open(on: &sessions)
            case 1:
                let token: DeviceToken = Bool.random(using: &generator) ? "aa" : "bb"
                added.append(sequence)
                ended += sessions.add([Self.flight(sequence, token: token)], at: Self.now).map(\.sequence)
            case 2: _ = Self.send(stream: epoch, on: &sessions)
            case 3:
                let acknowledged = (0..<3).map { _ in Int.random(in: 1...sequence, using: &generator) }
                ended += sessions.acknowledge(Self.agent, acknowledged, at: Self.now).map(\.sequence)
            case 4: ended += sessions.endTransient(of: Self.agent, at: Self.now) { $0.token == "bb" }.map(\.sequence)
            default:
                // A late close of a replaced stream changes nothing.
                let older = SessionEpoch(rawValue: epoch.rawValue - 1)
                let closing = Bool.random(using: &generator) ? epoch : older
                ended += sessions.close(Self.agent, closing, at: Self.now)?.ends.map(\.sequence) ?? []
            }
        }
        ended += sessions.close(Self.agent, epoch, at: Self.now)?.ends.map(\.sequence) ?? []
        #expect(added == ended.sorted())
        #expect(!added.isEmpty)
        #expect(sessions.unacknowledgedCount == 0)
    }
}
