import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct DeliveryCountsTests {
    @Test func newCountsAreEmpty() {
        #expect(DeliveryCounts().states.isEmpty)
        #expect(DeliveryCounts().total == 0)
    }

    @Test func initialCountsAreCounted() {
        let counts = DeliveryCounts([.stored: 2, .expired: 1, .dropped: 0])
        #expect(counts.states == [.stored: 2, .expired: 1])
        #expect(counts.total == 3)
    }

    @Test func addedNotificationsAreCountedInTheirState() {
        var counts = DeliveryCounts()
        counts.add(in: .stored)
        counts.add(3, in: .stored)
        counts.add(2, in: .dropped)
        counts.add(0, in: .expired)
        #expect(counts.states == [.stored: 4, .dropped: 2])
        #expect(counts.total == 6)
    }

    @Test(
        arguments: [
            (1, [.stored: 2, .acknowledged: 2]),
            (3, [.acknowledged: 4]),
            (0, [.stored: 3, .acknowledged: 1]),
            (4, [.acknowledged: 4]),
            (.max, [.acknowledged: 4]),
        ] as [(Int, [DeliveryState: Int])]
    )
    func moveIsLimitedToTheCountOfTheState(_ count: Int, _ states: [DeliveryState: Int]) {
        var counts = DeliveryCounts([.stored: 3, .acknowledged: 1])
        counts.move(count, from: .stored, to: .acknowledged)
        #expect(counts.states == states)
    }

    @Test func oneIsMovedByDefault() {
        var counts = DeliveryCounts([.stored: 3])
        counts.move(from: .stored, to: .expired)
        #expect(counts.states == [.stored: 2, .expired: 1])
    }

    @Test func nothingIsMovedFromAnEmptyState() {
        var counts = DeliveryCounts([.stored: 3])
        counts.move(2, from: .accepted, to: .dropped)
        #expect(counts.states == [.stored: 3])
    }

    @Test func moveToTheSameStateChangesNothing() {
        var counts = DeliveryCounts([.stored: 3])
        counts.move(2, from: .stored, to: .stored)
        counts.move(9, from: .stored, to: .stored)
        #expect(counts.states == [.stored: 3])
    }

    @Test func countsThatDifferAreNotEqual() {
        #expect(DeliveryCounts([.stored: 1, .sent: 0]) == DeliveryCounts([.stored: 1]))
        #expect(DeliveryCounts([.stored: 1]) != DeliveryCounts([.sent: 1]))
    }

    @Test(arguments: [Int.max, Int.max - 1, 1 << 40])
    func largeCountsDoNotOverflow(_ count: Int) {
        var counts = DeliveryCounts([.accepted: count])
        counts.move(.max, from: .accepted, to: .dropped)
        #expect(counts.states == [.dropped: count])
        #expect(counts.total == count)
    }

    @Test(arguments: Trials.seeds(50))
    func moveKeepsTheTotalAndLeavesNoEmptyState(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var counts = DeliveryCounts()
        for _ in 0..<100 {
            let (from, to) = (Self.state(&random), Self.state(&random))
            let added = Int.random(in: 0...3, using: &random)
            let total = counts.total
            counts.add(added, in: from)
            counts.move(Int.random(in: 0...5, using: &random), from: from, to: to)
            #expect(counts.total == total + added)
            #expect(counts.states.values.allSatisfy { $0 > 0 })
        }
    }

    private static func state(_ random: inout SeededGenerator) -> DeliveryState {
        DeliveryState.allCases[Int.random(in: DeliveryState.allCases.indices, using: &random)]
    }
}
