import Testing
import WaypostSchema

@testable import GatewayStore

@Suite struct InboxExpirationTests {
    private var inbox = Inbox()

    init() {
        for (sequence, expiration) in [(1, 50), (2, nil), (3, 30), (4, 0), (5, 30), (6, 70)] as [(Int, Int?)] {
            append(sequence, expiration)
        }
    }

    private mutating func append(_ sequence: Int, _ expiration: Int?) {
        let notification = NewNotification.example(NotificationID(rawValue: "n\(sequence)"), expiration: expiration)
        inbox.append(StoredNotification(sequence: sequence, batch: "batch", notification: notification))
    }

    /// Removes and returns what has expired.
    private mutating func expire(at seconds: Int) -> [Int] {
        let expired = inbox.expired(at: seconds)
        for sequence in expired { _ = inbox.remove(sequence) }
        return expired
    }

    @Test(
        arguments: [
            (0, []), (29, []), (30, [3, 5]), (31, [3, 5]), (50, [1, 3, 5]), (69, [1, 3, 5]),
            (Timestamp(milliseconds: .max).seconds, [1, 3, 5, 6]),
        ] as [(Int, [Int])]
    )
    mutating func expiredIsWhatHasItsSecondBehindIt(seconds: Int, _ sequences: [Int]) {
        #expect(inbox.expired(at: seconds) == sequences)
    }

    @Test mutating func expirationsComeOneAfterTheOther() {
        #expect([10, 30, 30, 49, 50, 70, 80].map { expire(at: $0) } == [[], [3, 5], [], [], [1], [6], []])
        #expect(inbox.read(after: 0, limit: .max).map(\.sequence) == [2, 4])
    }

    @Test mutating func whatWasRemovedDoesNotExpire() {
        _ = inbox.remove(3)
        #expect(expire(at: 30) == [5])
        _ = inbox.remove(1)
        #expect(expire(at: 60) == [])
        #expect(expire(at: 70) == [6])
    }

    @Test mutating func laterArrivalMayExpireFirst() {
        #expect(expire(at: 40) == [3, 5])
        append(7, 45)
        append(8, 10)
        #expect(expire(at: 40) == [8])
        #expect(expire(at: 45) == [7])
        #expect(expire(at: 50) == [1])
    }
}
