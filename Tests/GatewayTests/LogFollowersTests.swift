import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite struct LogFollowersTests {
    @Test func followerReceivesOnlyChangesOfItsNamespace() {
        let followers = LogFollowers()
        followers.recordChanges(of: [1], in: "here")
        do {
            let here = followers.follow("here")
            let there = followers.follow("there")
            #expect(followers.count == 2)
            followers.recordChanges(of: [2, 3, 7], in: "here")
            followers.recordChanges(of: 10...20, in: "here")
            followers.recordChanges(of: [], in: "there")
            #expect(Self.sequences(here.changes.take()) == [2, 3, 7] + Array(10...20))
            #expect(Self.sequences(here.changes.take()) == [])
            #expect(there.changes.take() == LogChangeBuffer.Changes())
        }
        #expect(followers.count == 0)
    }

    @Test func followerIsSignaledOnceForSeveralChanges() async {
        let buffer = LogChangeBuffer(capacity: 10)
        buffer.limit(to: 5..<6)
        buffer.add([4..<5])
        buffer.add([])
        buffer.add([5..<6])
        buffer.add([5..<6])
        buffer.end(.shuttingDown)
        var signals = buffer.signals.makeAsyncIterator()
        await signals.next()
        let changes = buffer.take()
        #expect(Self.sequences(changes) == [5])
        #expect(changes.end == .shuttingDown)
    }

    @Test func batchIsOneRangeRegardlessOfItsSize() {
        let buffer = LogChangeBuffer(capacity: 1)
        buffer.add([1..<100_001])
        buffer.add([100_001..<200_001])
        let changes = buffer.take()
        #expect(changes.sequences.ranges.count == 1)
        #expect(changes.end == nil)
    }

    @Test func slowFollowerIsEndedAsTooSlow() {
        let buffer = LogChangeBuffer(capacity: 3)
        buffer.add([1..<2, 3..<4, 5..<6])
        #expect(buffer.end == nil)
        buffer.add([7..<8])
        #expect(buffer.take().end == .tooSlow)
        buffer.end(.shuttingDown)
        #expect(buffer.end == .tooSlow)
    }

    @Test func changesOutsideTheLimitAreDiscarded() {
        let buffer = LogChangeBuffer(capacity: 10)
        buffer.add([1..<4, 8..<12])
        buffer.limit(to: 0..<10)
        buffer.add([9..<30])
        buffer.limit(to: LogChangeBuffer.everything)
        buffer.add([40..<41])
        #expect(Self.sequences(buffer.take()) == [1, 2, 3, 8, 9, 40])
    }

    @Test(arguments: Trials.seeds(50)) func everyChangeIsReported(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let buffer = LogChangeBuffer(capacity: 1_000)
        var (expected, found): (Set<Int>, Set<Int>) = ([], [])
        for _ in 0..<200 {
            let start = Int.random(in: 0..<500, using: &generator)
            let run = start..<start + Int.random(in: 0..<20, using: &generator)
            buffer.add([run])
            expected.formUnion(run)
            if Int.random(in: 0..<10, using: &generator) == 0 { found.formUnion(Self.sequences(buffer.take())) }
        }
        #expect(found.union(Self.sequences(buffer.take())) == expected)
        #expect(buffer.end == nil)
    }

    private static func sequences(_ changes: LogChangeBuffer.Changes) -> [Int] {
        changes.sequences.ranges.flatMap(Array.init)
    }
}
