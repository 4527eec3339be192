import GatewayStore
import NIOCore
import PushRules
import Testing
import WaypostSchema

@testable import Gateway

@Suite struct DeviceSessionTests {
    /// Creates a session whose stream starts after the sequence `start`.
    static func session(
        after start: Int = 0,
        from predecessor: DeviceSession? = nil,
        limits: SessionLimits = SessionLimits()
    ) -> DeviceSession {
        let now = DeviceSession.SendTime.second(0).deadline
        let epoch = SessionEpoch(rawValue: 1)
        return DeviceSession(
            epoch: epoch,
            after: start,
            at: now,
            from: predecessor,
            limits: limits,
            redelivery: RedeliveryPolicy()
        ) { _ in }
    }

    static func limits(window: Int = 1_000, queue: Int = 256, queueBytes: Int = 1 << 20) -> SessionLimits {
        var limits = SessionLimits()
        (limits.window, limits.queue, limits.queueBytes) = (window, queue, queueBytes)
        return limits
    }

    // MARK: Live notifications

    @Test func streamThatHasReadItsInboxSendsNewNotificationsWithoutAnotherRead() {
        var session = Self.session()
        #expect(session.sendAll(from: [1, 2]) == [1, 2])
        let (isTaken, step) = (session.add(.example(3)), session.next(at: .second(0)))
        #expect(isTaken)
        guard case .send(let sent) = step else { return #expect(Bool(false), "\(step)") }
        #expect(sent.map(\.sequence) == [3])
        let rest = session.next(at: .second(0))
        #expect(rest == .wait)
    }

    @Test func notificationsThatArriveOutOfOrderAreSent() {
        var session = Self.session()
        _ = session.sendAll()
        for sequence in [6, 5, 7] { _ = session.add(.example(sequence)) }
        #expect(session.sendAll() == [6, 5, 7])
    }

    @Test func lateEventForAnAlreadyReadNotificationIsIgnored() {
        var session = Self.session()
        _ = session.sendAll(from: [1, 2])
        session.remove(2)
        for sequence in [1, 2] { _ = session.add(.example(sequence)) }
        #expect(session.sendAll(from: [1]) == [])
    }

    @Test func notificationThatArrivesDuringAPageReadIsReadWithTheNextPage() throws {
        var session = Self.session()
        guard case .read(let request) = session.next(at: .second(0)) else { return #expect(Bool(false)) }
        _ = session.add(.example(3))
        #expect(session.receive([.example(1)], for: request, at: .second(0)).map(\.sequence) == [1])
        #expect(session.isBehind)
        #expect(session.sendAll(from: [1, 3]) == [3])
        #expect(!session.isBehind)
    }

    @Test func streamThatIsToldOfNotificationsItHasReadDoesNotReadAgain() {
        var session = Self.session()
        _ = session.sendAll(from: [1, 2])
        let isBehind = [2, 3, 3].map { session.recordNewNotifications(upTo: $0) }
        #expect(isBehind == [false, true, true])
        // Sequence 3 was for another agent, or its notification is gone.
        #expect(session.sendAll(from: [1, 2]) == [])
        let isBehindAgain = session.recordNewNotifications(upTo: 3)
        #expect(!isBehindAgain)
    }

    @Test func streamThatIsToldOfNotificationsDuringAPageReadReadsTheNextPage() {
        var session = Self.session()
        guard case .read(let request) = session.next(at: .second(0)) else { return #expect(Bool(false)) }
        let isBehind = session.recordNewNotifications(upTo: 3)
        #expect(isBehind)
        _ = session.receive([.example(1)], for: request, at: .second(0))
        let isStillBehind = session.recordNewNotifications(upTo: 3)
        #expect(isStillBehind)
        #expect(session.sendAll(from: [1, 3]) == [3])
    }

    @Test(arguments: [limits(queue: 2), limits(queueBytes: 5)])
    func slowStreamFallsBackToItsInbox(_ limits: SessionLimits) {
        var session = Self.session(limits: limits)
        _ = session.sendAll()
        for sequence in 1...5 { _ = session.add(.example(sequence)) }
        #expect(session.queue.map(\.sequence) == [1, 2])
        #expect(session.isBehind)
        #expect(session.sendAll(from: [1, 2, 3, 4, 5]) == [1, 2, 3, 4, 5])
    }

    // MARK: Expirations

    @Test func notificationThatExpiresInTheQueueIsNotSent() {
        var session = Self.session()
        _ = session.sendAll()
        _ = session.add(.example(1))
        _ = session.add(.example(2, expiration: 5))
        _ = session.add(.example(3, isTransient: true))
        let writes = session.writeAll(from: [1], at: 5)
        #expect(writes == [[3], [1]])
        #expect(session.sentNotifications.keys.sorted() == [1])
        #expect(!session.isBehind)
    }

    @Test func notificationIsSentUntilItExpires() {
        var session = Self.session()
        _ = session.sendAll()
        _ = session.add(.example(1, expiration: 5))
        let sent = session.sendAll(at: 4)
        #expect(sent == [1])
    }

    @Test func notificationThatExpiresDuringAPageReadIsNotSent() {
        var session = Self.session()
        guard case .read(let request) = session.next(at: .second(0)) else { return #expect(Bool(false)) }
        let page = [StoredNotification.example(1, expiration: 5), .example(2)]
        let sent = session.receive(page, for: request, at: .second(5)).map(\.sequence)
        #expect(sent == [2])
        #expect(session.isBehind)
        let sentAgain = session.sendAll(from: [2], at: 5)
        #expect(sentAgain == [])
        #expect(!session.isBehind)
    }

    @Test func notificationThatSeemedExpiredIsSentIfTheInboxStillHasIt() {
        var session = Self.session()
        guard case .read(let request) = session.next(at: .second(0)) else { return #expect(Bool(false)) }
        _ = session.receive([.example(1, expiration: 5), .example(2)], for: request, at: .second(5))
        // The clock of the gateway went back.
        let sent = session.sendAll(from: [1, 2], at: 4)
        #expect(sent == [1])
    }

    @Test func transientNotificationIsDroppedIfTheQueueIsFull() {
        var session = Self.session(limits: Self.limits(queue: 2))
        let taken = (1...3).map { session.add(.example($0, isTransient: true)) }
        #expect(taken == [true, true, false])
        #expect(session.sendAll() == [1, 2])
    }

    // MARK: The size of a write

    /// Returns limits with which `count` examples fit in one write.
    static func limits(examplesInOneWrite count: Int) -> SessionLimits {
        var limits = SessionLimits()
        limits.writeBytes = count * EventFrame.estimatedSize(of: .example(1))
        return limits
    }

    @Test(
        arguments: [
            (1, [[1], [2], [3], [4], [5]]), (2, [[1, 2], [3, 4], [5]]), (4, [[1, 2, 3, 4], [5]]),
            (5, [[1, 2, 3, 4, 5]]),
        ] as [(Int, [[Int]])]
    ) func queueAndPagesAreWrittenInPiecesOfLimitedSize(_ count: Int, _ expectedWrites: [[Int]]) {
        var keepingUp = Self.session(limits: Self.limits(examplesInOneWrite: count))
        _ = keepingUp.sendAll()
        for sequence in 1...5 { _ = keepingUp.add(.example(sequence)) }
        let writesOfQueue = keepingUp.writeAll()
        #expect(writesOfQueue == expectedWrites)
        var behind = Self.session(limits: Self.limits(examplesInOneWrite: count))
        let writesOfPages = behind.writeAll(from: Array(1...5))
        #expect(writesOfPages == expectedWrites)
        #expect(!behind.isBehind)
    }

    @Test func queueKeepsWhatIsNotWritten() {
        var session = Self.session(limits: Self.limits(examplesInOneWrite: 2))
        _ = session.sendAll()
        for sequence in 1...5 { _ = session.add(.example(sequence)) }
        _ = session.next(at: .second(0))
        #expect(session.queue.map(\.sequence) == [3, 4, 5])
        #expect(session.sentNotifications.keys.sorted() == [1, 2])
    }

    @Test func pageAfterOneThatWasTooLargeIsAsLargeAsAWrite() {
        var session = Self.session(limits: Self.limits(examplesInOneWrite: 2))
        guard case .read(let first) = session.next(at: .second(0)) else {
            Issue.record("the session reads no page")
            return
        }
        let sent = session.receive(StoredNotification.examples(1...9), for: first, at: .second(0))
        #expect(sent.map(\.sequence) == [1, 2])
        #expect(session.sentNotifications.keys.sorted() == [1, 2])
        let second = session.next(at: .second(0))
        #expect(second == .read(DeviceSession.PageRequest(position: 2, limit: 2, rewindCount: 0)))
    }

    @Test func pageWithATransientNotificationIsWrittenWhole() {
        var session = Self.session(limits: Self.limits(examplesInOneWrite: 2))
        guard case .read(let request) = session.next(at: .second(0)) else {
            Issue.record("the session reads no page")
            return
        }
        let page = StoredNotification.examples(1...8) + [.example(9, isTransient: true)]
        let sent = session.receive(page, for: request, at: .second(0))
        #expect(sent.map(\.sequence) == Array(1...9))
    }

    @Test func notificationsThatWereSentTakeNoRoomInAPage() {
        var session = Self.session(limits: Self.limits(examplesInOneWrite: 3))
        _ = session.sendAll(from: [1, 2, 3])
        session.rewind()
        let writes = session.writeAll(from: Array(1...5))
        #expect(writes == [[4, 5]])
    }

    @Test(arguments: [0, 10, 10_000]) func estimatedSizeIsAtLeastTheSizeOfTheEvent(_ payloadSize: Int) {
        let text = String(repeating: "x", count: payloadSize)
        let stored = StoredNotification.example(.max, payload: #"{"text":"\#(text)"}"#)
        var buffer = ByteBuffer()
        EventFrame.append(stored, to: &buffer)
        let estimate = EventFrame.estimatedSize(of: stored)
        #expect(buffer.readableBytes <= estimate)
        #expect(estimate <= buffer.readableBytes + 384)
    }

    // MARK: The window

    @Test func fullWindowStopsSendingUntilAnAcknowledgement() {
        var session = Self.session(limits: Self.limits(window: 3))
        #expect(session.sendAll(from: Array(1...9)) == [1, 2, 3])
        #expect(session.isWindowFull)
        _ = session.add(.example(10))
        #expect(session.sendAll(from: Array(1...10)) == [])
        for sequence in [1, 3] { session.remove(sequence) }
        #expect(session.sendAll(from: [2] + Array(4...10)) == [4, 5])
    }

    // MARK: Redelivery

    @Test func unacknowledgedNotificationIsSentAgainAfterDoublingDelays() {
        var session = Self.session()
        _ = session.sendAll(from: [1, 2])
        var times: [Int64] = []
        session.remove(2)
        for second in Int64(1)...300 {
            _ = session.markOverdueForRedelivery(at: DeviceSession.SendTime.second(second).deadline)
            if session.sendAll(from: [1], at: second) == [1] { times.append(second) }
        }
        #expect(times == [30, 90, 210])
        let attempts = session.attempts(of: 1)
        #expect(attempts?.count == 4)
        #expect(attempts?.first == Timestamp(milliseconds: 0))
        #expect(attempts?.last == Timestamp(milliseconds: 210_000))
    }

    @Test func redeliveredNotificationIsMarkedAsSentBefore() {
        var session = Self.session()
        _ = session.sendAll(from: [1])
        _ = session.markOverdueForRedelivery(at: DeviceSession.SendTime.second(30).deadline)
        guard case .read(let request) = session.next(at: .second(30)) else { return #expect(Bool(false)) }
        let sent = session.receive(StoredNotification.examples([1, 2]), for: request, at: .second(30))
        #expect(sent.map(\.wasSent) == [true, false])
    }

    @Test func notificationAcknowledgedBeforeItsRedeliveryIsNotSent() {
        var session = Self.session()
        _ = session.sendAll(from: [1, 2])
        _ = session.markOverdueForRedelivery(at: DeviceSession.SendTime.second(30).deadline)
        #expect(session.sequencesCovered(upTo: 2) == [1, 2])
        session.remove(1)
        #expect(session.sendAll(from: [2], at: 30) == [2])
    }

    @Test func resumedStreamReadsBelowItsPositionAfterTheRedeliveryDelay() {
        var session = Self.session(after: 4)
        #expect(session.sendAll(from: [3, 4, 5]) == [5])
        _ = session.markOverdueForRedelivery(at: DeviceSession.SendTime.second(29).deadline)
        #expect(session.sendAll(from: [3, 4, 5], at: 29) == [])
        session.remove(5)
        _ = session.markOverdueForRedelivery(at: DeviceSession.SendTime.second(30).deadline)
        #expect(session.sendAll(from: [3, 4], at: 30) == [3, 4])
    }

    @Test func replacementStreamContinuesTheAttemptCounts() {
        var first = Self.session()
        _ = first.sendAll(from: [1])
        _ = first.add(.example(7, isTransient: true))
        _ = first.add(.example(2))
        var second = Self.session(from: first)
        #expect(second.sequencesCovered(upTo: 10) == [])
        #expect(second.sendAll(from: [1, 2], at: 5) == [7, 1, 2])
        #expect(second.attempts(of: 1)?.count == 2)
        #expect(second.attempts(of: 2)?.count == 1)
        #expect(second.sequencesCovered(upTo: 10) == [1, 2, 7])
    }

    // MARK: Rewinds

    @Test func rewoundStreamSendsOnlyUnsentNotifications() {
        var session = Self.session(after: 4)
        #expect(session.sendAll(from: [5, 9]) == [5, 9])
        session.rewind()
        #expect(session.sendAll(from: [5, 6, 9, 10]) == [6, 10])
    }

    @Test func rewindDuringAPageReadTakesEffectAfterIt() {
        var session = Self.session()
        guard case .read(let request) = session.next(at: .second(0)) else { return #expect(Bool(false)) }
        session.rewind()
        #expect(session.receive([.example(7)], for: request, at: .second(0)).map(\.sequence) == [7])
        #expect(session.position == 0)
        #expect(session.sendAll(from: [3, 5, 7]) == [3, 5])
    }

    @Test func rewindReturnsQueuedNotificationsToTheInbox() {
        var session = Self.session()
        _ = session.sendAll()
        _ = session.add(.example(1))
        _ = session.add(.example(2, isTransient: true))
        session.rewind()
        #expect(session.queue.map(\.sequence) == [2])
        #expect(session.sendAll(from: [1]) == [2, 1])
    }

    @Test func pageThatCouldNotBeReadIsReadAgain() {
        var session = Self.session()
        _ = session.next(at: .second(0))
        #expect(session.sendAll(from: [1]) == [])
        session.recordReadFailure()
        #expect(session.sendAll(from: [1]) == [1])
    }

    // MARK: Acknowledgements

    @Test func cumulativeAcknowledgementDoesNotCoverNotificationsHeldBack() {
        var session = Self.session(after: 4)
        _ = session.add(.example(8, isTransient: true))
        #expect(session.sendAll(from: [5, 9]) == [8, 5, 9])
        _ = session.add(.example(7, isTransient: true))
        #expect(session.sequencesCovered(upTo: 4) == [])
        // 5 was sent after 8, so an acknowledgement up to 6, which was never sent, does not cover 5.
        #expect(session.sequencesCovered(upTo: 6) == [])
        #expect(session.sequencesCovered(upTo: 5) == [5])
        #expect(session.sequencesCovered(upTo: 9) == [5, 8, 9])
        #expect(session.sequencesCovered(upTo: 100) == [5, 8, 9])
        session.remove(5)
        #expect(session.sequencesCovered(upTo: 100) == [8, 9])
    }

    /// A transient notification has a high sequence but is sent first.
    @Test func cumulativeAcknowledgementDoesNotCoverNotificationsSentAfterIt() {
        var session = Self.session()
        _ = session.add(.example(8, isTransient: true))
        _ = session.sendAll(from: [5, 6])
        #expect(session.sequencesCovered(upTo: 8) == [8])
        #expect(session.sequencesCovered(upTo: 6) == [5, 6])
        session.rewind()
        _ = session.sendAll(from: [2, 5, 6])
        #expect(session.sequencesCovered(upTo: 6) == [5, 6])
    }

    /// 3 was held back when 10 was sent and is sent later, so a repeated acknowledgement up to 10 does not cover it.
    @Test func repeatedCumulativeAcknowledgementDoesNotCoverLaterNotifications() {
        var session = Self.session()
        _ = session.sendAll(from: [9, 10])
        #expect(session.sequencesCovered(upTo: 10) == [9, 10])
        session.remove(10)
        session.rewind()
        #expect(session.sendAll(from: [3, 9]) == [3])
        #expect(session.sequencesCovered(upTo: 10) == [9])
        #expect(session.sequencesCovered(upTo: 11) == [3, 9])
    }

    /// 3 and 4 were held back when 10 was sent; also if several notifications are sent out of order, none is covered.
    @Test(arguments: [([10], [9]), ([9, 10], [])] as [([Int], [Int])])
    func repeatedCumulativeAcknowledgementCoversNoneOfSeveralLaterNotifications(_ removed: [Int], _ expected: [Int]) {
        var session = Self.session()
        _ = session.sendAll(from: [9, 10])
        for sequence in removed { session.remove(sequence) }
        session.rewind()
        let sentLater = session.sendAll(from: [3, 4] + expected)
        #expect(sentLater == [3, 4])
        #expect(session.sequencesCovered(upTo: 10) == expected)
        #expect(session.sequencesCovered(upTo: 4) == [3, 4])
    }

    /// 6 was replaced by a notification with its collapse identifier before the client acknowledged up to it.
    @Test func cumulativeAcknowledgementUpToARemovedNotificationCoversThoseBeforeIt() {
        var session = Self.session()
        _ = session.add(.example(4, isTransient: true))
        let sent = session.sendAll(from: [3, 5, 6, 7])
        #expect(sent == [4, 3, 5, 6, 7])
        session.remove(6)
        #expect(session.sequencesCovered(upTo: 6) == [3, 4, 5])
    }

    @Test func placeOfARemovedNotificationIsKeptWhileManyAreRemoved() {
        var session = Self.session()
        _ = session.add(.example(1_000, isTransient: true))
        _ = session.sendAll(from: Array(1...200))
        for sequence in 2...199 { session.remove(sequence) }
        #expect(session.sequencesCovered(upTo: 150) == [1])
    }

    @Test func notificationRemovedDuringAPageReadIsNotSent() {
        var session = Self.session()
        guard case .read(let request) = session.next(at: .second(0)) else { return #expect(Bool(false)) }
        session.remove(6)
        let received = session.receive(StoredNotification.examples([5, 6]), for: request, at: .second(0))
        #expect(received.map(\.sequence) == [5])
        #expect(session.sentNotifications.keys.sorted() == [5])
    }

    @Test func onlySentTransientNotificationsCanBeAcknowledged() {
        var session = Self.session()
        _ = session.add(.example(2, isTransient: true))
        _ = session.sendAll(from: [1])
        _ = session.add(.example(3, isTransient: true))
        #expect(session.acknowledge([1, 2, 3, 4]).map(\.notification.sequence) == [2])
        #expect(session.acknowledge([2]).isEmpty)
        #expect(session.transient.map(\.sequence) == [3])
    }

    @Test func endedTransientNotificationsAreNeitherSentNorCovered() {
        var session = Self.session()
        _ = session.add(.example(1, token: "aa", isTransient: true))
        _ = session.add(.example(2, token: "bb", isTransient: true))
        _ = session.sendAll()
        _ = session.add(.example(3, token: "aa", isTransient: true))
        _ = session.add(.example(4, token: "bb", isTransient: true))
        let ended = session.endTransient { $0.notification.token == "aa" }
        #expect(ended.map(\.0.sequence) == [1, 3])
        #expect(ended.map { $0.1?.count } == [1, nil])
        #expect(session.transient.map(\.sequence) == [2, 4])
        #expect(session.sequencesCovered(upTo: 10) == [2])
        #expect(session.sendAll() == [4])
    }
}
