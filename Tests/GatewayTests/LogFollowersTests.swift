import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite struct LogFollowersTests {
    @Test func aFollowerIsToldOfItsNamespaceForAsLongAsItIsThere() {
        let followers = LogFollowers()
        followers.note([1], in: "here")
        do {
            let here = followers.follow("here")
            let there = followers.follow("there")
            #expect(followers.count == 2)
            followers.note([2, 3, 7], in: "here")
            followers.note(10...20, in: "here")
            followers.note([], in: "there")
            #expect(Self.sequences(here.mailbox.take()) == [2, 3, 7] + Array(10...20))
            #expect(Self.sequences(here.mailbox.take()) == [])
            #expect(there.mailbox.take() == LogChangeBuffer.Mail())
        }
        #expect(followers.count == 0)
    }

    @Test func whoHasMailIsNudgedOnce() async {
        let mailbox = LogChangeBuffer(capacity: 10)
        mailbox.limit(to: 5..<6)
        mailbox.note([4..<5])
        mailbox.note([])
        mailbox.note([5..<6])
        mailbox.note([5..<6])
        mailbox.end(.shuttingDown)
        var nudges = mailbox.nudges.makeAsyncIterator()
        await nudges.next()
        let mail = mailbox.take()
        #expect(Self.sequences(mail) == [5])
        #expect(mail.end == .shuttingDown)
    }

    @Test func aBatchIsOneRunHoweverLargeItIs() {
        let mailbox = LogChangeBuffer(capacity: 1)
        mailbox.note([1..<100_001])
        mailbox.note([100_001..<200_001])
        let mail = mailbox.take()
        #expect(mail.changed.ranges.count == 1)
        #expect(mail.end == nil)
    }

    @Test func whoDoesNotKeepUpIsToldSo() {
        let mailbox = LogChangeBuffer(capacity: 3)
        mailbox.note([1..<2, 3..<4, 5..<6])
        #expect(mailbox.end == nil)
        mailbox.note([7..<8])
        #expect(mailbox.take().end == .tooSlow)
        mailbox.end(.shuttingDown)
        #expect(mailbox.end == .tooSlow)
    }

    @Test func whatIsOfNoInterestIsForgotten() {
        let mailbox = LogChangeBuffer(capacity: 10)
        mailbox.note([1..<4, 8..<12])
        mailbox.limit(to: 0..<10)
        mailbox.note([9..<30])
        mailbox.limit(to: LogChangeBuffer.everything)
        mailbox.note([40..<41])
        #expect(Self.sequences(mailbox.take()) == [1, 2, 3, 8, 9, 40])
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func nothingThatChangedIsForgotten(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let mailbox = LogChangeBuffer(capacity: 1_000)
        var (expected, found): (Set<Int>, Set<Int>) = ([], [])
        for _ in 0..<200 {
            let start = Int.random(in: 0..<500, using: &generator)
            let run = start..<start + Int.random(in: 0..<20, using: &generator)
            mailbox.note([run])
            expected.formUnion(run)
            if Int.random(in: 0..<10, using: &generator) == 0 { found.formUnion(Self.sequences(mailbox.take())) }
        }
        #expect(found.union(Self.sequences(mailbox.take())) == expected)
        #expect(mailbox.end == nil)
    }

    private static func sequences(_ mail: LogChangeBuffer.Mail) -> [Int] {
        mail.changed.ranges.flatMap(Array.init)
    }
}
