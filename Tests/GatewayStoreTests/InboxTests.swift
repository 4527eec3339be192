import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

@Suite struct InboxTests {
    private static func stored(_ sequence: Int, expiration: Int? = nil) -> StoredNotification {
        let notification = NewNotification.example(NotificationID(rawValue: "n\(sequence)"), expiration: expiration)
        return StoredNotification(sequence: sequence, batch: "batch", notification: notification)
    }

    private static func inbox(_ sequences: some Sequence<Int>) -> Inbox {
        var inbox = Inbox()
        for sequence in sequences { inbox.append(stored(sequence)) }
        return inbox
    }

    @Test func emptyInboxHasNothing() {
        var inbox = Inbox()
        #expect(inbox.read(after: .min, limit: .max).isEmpty)
        #expect(inbox.sequences(in: 0...Int.max).isEmpty)
        #expect(inbox.sequences(where: { _ in true }).isEmpty)
        #expect(inbox.expired(at: .max).isEmpty)
        #expect(inbox.remove(1) == nil)
    }

    @Test(
        arguments: [
            (.min, [10, 20, 30]), (9, [10, 20, 30]), (10, [20, 30]), (11, [20, 30]), (19, [20, 30]), (20, [30]),
            (29, [30]), (30, []), (31, []), (.max, []),
        ] as [(Int, [Int])]
    )
    func readBeginsAboveTheCursor(cursor: Int, _ sequences: [Int]) {
        let inbox = Self.inbox([10, 20, 30])
        #expect(inbox.read(after: cursor, limit: .max).map(\.sequence) == sequences)
        #expect(inbox.read(after: cursor, limit: 1).map(\.sequence) == Array(sequences.prefix(1)))
    }

    @Test(
        arguments: [
            (0...9, []), (0...10, [10]), (10...10, [10]), (11...19, []), (10...29, [10, 20]), (11...30, [20, 30]),
            (0...Int.max, [10, 20, 30]), (30...Int.max, [30]), (31...Int.max, []), (Int.max...Int.max, []),
        ] as [(ClosedRange<Int>, [Int])]
    )
    func rangeHasBothItsEnds(_ range: ClosedRange<Int>, _ sequences: [Int]) {
        #expect(Self.inbox([10, 20, 30]).sequences(in: range) == sequences)
    }

    @Test func boundariesAreFoundInInboxesOfEverySize() {
        for count in 0...33 {
            let all = (0..<count).map { 2 * $0 }
            let inbox = Self.inbox(all)
            for cursor in -2...(2 * count + 1) {
                let expected = all.filter { $0 > cursor }
                #expect(inbox.read(after: cursor, limit: .max).map(\.sequence) == expected, "\(count), \(cursor)")
            }
        }
    }

    @Test func removedNotificationIsWhatWasThere() {
        var inbox = Self.inbox(1...3)
        #expect(inbox.remove(2) == Self.stored(2))
        #expect(inbox.remove(2) == nil)
        #expect(inbox.remove(4) == nil)
        #expect(inbox.read(after: 0, limit: .max).map(\.sequence) == [1, 3])
        #expect(inbox.sequences(in: 1...2) == [1])
    }

    @Test(arguments: ["ascending", "descending", "from the middle", "shuffled"])
    func manyRemovalsLeaveTheOthersInOrder(_ order: String) {
        var generator = SeededGenerator(seed: 1)
        let all = Array(1...200)
        let removals: [Int] =
            switch order {
            case "ascending": all
            case "descending": all.reversed()
            case "from the middle": all.sorted { abs($0 - 100) < abs($1 - 100) }
            default: all.shuffled(using: &generator)
            }
        var (inbox, left) = (Self.inbox(all), all)
        for sequence in removals {
            #expect(inbox.remove(sequence)?.sequence == sequence)
            left.removeAll { $0 == sequence }
            #expect(inbox.read(after: 0, limit: .max).map(\.sequence) == left)
            #expect(inbox.sequences(in: 50...150) == left.filter { 50...150 ~= $0 })
        }
        inbox.append(Self.stored(201))
        #expect(inbox.read(after: 0, limit: .max).map(\.sequence) == [201])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func arrivalsAndRemovalsKeepTheOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (inbox, left, last) = (Inbox(), [Int](), 0)
        for step in 0..<1_000 {
            if Int.random(in: 0..<5, using: &generator) < (step < 500 ? 3 : 2) {
                last += Int.random(in: 1...3, using: &generator)
                inbox.append(Self.stored(last))
                left.append(last)
            } else {
                let sequence = Int.random(in: 0...(last + 1), using: &generator)
                #expect((inbox.remove(sequence) != nil) == left.contains(sequence), "seed \(seed), step \(step)")
                left.removeAll { $0 == sequence }
            }
            let (cursor, limit) = (Int.random(in: 0...(last + 1), using: &generator), 5)
            let page = inbox.read(after: cursor, limit: limit).map(\.sequence)
            #expect(page == Array(left.filter { $0 > cursor }.prefix(limit)), "seed \(seed), step \(step)")
        }
    }

    @Test func sequencesAreChosenInOrder() {
        var inbox = Self.inbox(1...9)
        _ = inbox.remove(4)
        #expect(inbox.sequences(where: { $0.sequence.isMultiple(of: 2) }) == [2, 6, 8])
    }
}
