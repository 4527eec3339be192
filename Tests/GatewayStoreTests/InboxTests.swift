import Testing
import WaypostSchema
import WaypostTestSupport

@testable import GatewayStore

/// What of an inbox in memory no store shows: its order and its deadlines, whatever leaves when.
@Suite struct InboxTests {
    private static func item(_ sequence: Int, deadline: Int? = nil) -> Inbox.Item {
        let stored = StoredNotification(
            sequence: sequence,
            batch: BatchNumber(rawValue: 1),
            notification: .example("n")
        )
        return Inbox.Item(stored: stored, deadline: deadline)
    }

    private static func inbox(_ sequences: some Sequence<Int>) -> Inbox {
        var inbox = Inbox()
        for sequence in sequences { _ = inbox.store(item(sequence)) }
        return inbox
    }

    private static func sequences(_ inbox: Inbox, after cursor: Int = 0, limit: Int = .max) -> [Int] {
        inbox.page(after: cursor, limit: limit) { _ in true }.map(\.sequence)
    }

    @Test func boundariesAreFoundInInboxesOfEverySize() {
        for count in 0...33 {
            let all = (0..<count).map { 2 * $0 }
            let inbox = Self.inbox(all)
            for cursor in -2...(2 * count + 1) {
                #expect(Self.sequences(inbox, after: cursor) == all.filter { $0 > cursor }, "\(count), \(cursor)")
            }
        }
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
            #expect(inbox.remove(sequence) == Self.item(sequence))
            #expect(inbox.remove(sequence) == nil)
            left.removeAll { $0 == sequence }
            #expect(Self.sequences(inbox) == left)
            #expect(inbox.count == left.count)
        }
        _ = inbox.store(Self.item(201))
        #expect(Self.sequences(inbox) == [201])
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func arrivalsAndRemovalsKeepTheOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (inbox, left, last) = (Inbox(), [Int](), 0)
        for step in 0..<1_000 {
            if Int.random(in: 0..<5, using: &generator) < (step < 500 ? 3 : 2) {
                last += Int.random(in: 1...3, using: &generator)
                _ = inbox.store(Self.item(last))
                left.append(last)
            } else {
                let sequence = Int.random(in: 0...(last + 1), using: &generator)
                #expect((inbox.remove(sequence) != nil) == left.contains(sequence), "seed \(seed), step \(step)")
                left.removeAll { $0 == sequence }
            }
            let (cursor, limit) = (Int.random(in: 0...(last + 1), using: &generator), 5)
            let expected = Array(left.filter { $0 > cursor }.prefix(limit))
            #expect(Self.sequences(inbox, after: cursor, limit: limit) == expected, "seed \(seed), step \(step)")
        }
    }

    @Test func deadlinesPassOneAfterTheOther() {
        var inbox = Inbox()
        for (index, deadline) in [50, nil, 30, 10, 30, 70].enumerated() {
            _ = inbox.store(Self.item(index + 1, deadline: deadline))
        }
        _ = inbox.remove(4)
        func expired(at seconds: Int) -> [Int] {
            inbox.removeExpired(at: seconds).map(\.stored.sequence)
        }
        #expect([10, 29, 30, 30, 49, 50, 69].map(expired) == [[], [], [3, 5], [], [], [1], []])
        #expect(inbox.earliestDeadline == 70)
        _ = inbox.store(Self.item(7, deadline: 60))
        #expect([69, 70, Timestamp(milliseconds: .max).seconds].map(expired) == [[7], [6], []])
        #expect(Self.sequences(inbox) == [2])
    }
}
