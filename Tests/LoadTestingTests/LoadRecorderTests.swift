import Fleets
import Histogram
import Testing
import WaypostSchema

@testable import LoadTesting

@Suite struct LoadRecorderTests {
    private static let traffic = LoadTraffic(
        LoadTraffic.Settings(),
        tokens: ["c0ffee"],
        itemsPerRequest: 2,
        seed: 1,
        run: 1
    )

    /// A recorder with two items a request, whose measured part is from 1 s to 2 s, for one device.
    private static func recorder() -> LoadRecorder {
        LoadRecorder(traffic, devices: 1, measured: 1_000_000..<2_000_000)
    }

    private static func id(_ number: Int) -> NotificationID {
        traffic.identifiers.identifier(number)
    }

    /// Offers a request, and returns its number.
    private static func send(_ recorder: inout LoadRecorder, at time: Int, answered: Int?) -> Int {
        let request = recorder.offer(at: time)
        recorder.start(request, at: time)
        if let answered { recorder.answer(request, refusing: [:], at: answered) }
        return request
    }

    @Test func latenciesBeginAtTheIntendedStart() {
        var recorder = Self.recorder()
        let request = recorder.offer(at: 1_000_000)
        // The generator is late by 30 ms, which counts.
        recorder.start(request, at: 1_030_000)
        recorder.answer(request, refusing: [:], at: 1_040_000)
        recorder.arrive(Self.id(0), at: 1_050_000)
        recorder.arrive(Self.id(1), at: 1_050_000)
        recorder.acknowledge([Self.id(0), Self.id(1)], at: 1_060_000)
        #expect(LatencySummary(recorder.accepted).p50.rounded() == 40)
        #expect(LatencySummary(recorder.delivered).max.rounded() == 50)
        #expect(LatencySummary(recorder.acknowledged).p99.rounded() == 60)
        #expect((recorder.offered, recorder.achieved, recorder.lateStarts) == (2, 2, 1))
        #expect(recorder.isSettled)
        #expect(recorder.lost().isEmpty)
    }

    @Test func warmUpAndTheTimeAfterDoNotCount() {
        var recorder = Self.recorder()
        for time in [0, 999_999, 2_000_000] {
            let request = Self.send(&recorder, at: time, answered: time + 1)
            recorder.arrive(Self.id(2 * request), at: time + 2)
            recorder.arrive(Self.id(2 * request), at: time + 3)
        }
        #expect((recorder.offered, recorder.achieved, recorder.duplicated) == (0, 0, 0))
        #expect(recorder.delivered.totalCount == 0)
        #expect(recorder.lost().isEmpty)
        #expect(recorder.takeSecond(0).delivered == 3)
    }

    @Test func acceptedItemThatNeverArrivesIsLost() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        recorder.arrive(Self.id(1), at: 1_000_200)
        #expect(recorder.lost() == [Self.id(0)])
        #expect(!recorder.isSettled)
    }

    @Test func refusedAndUnansweredItemsAreErrorsAndNotLost() {
        var recorder = Self.recorder()
        let first = recorder.offer(at: 1_000_000)
        recorder.start(first, at: 1_000_000)
        recorder.answer(first, refusing: [1: "BadDeviceToken"], at: 1_000_100)
        let second = recorder.offer(at: 1_100_000)
        recorder.fail(second, reason: "the connection was closed")
        recorder.arrive(Self.id(0), at: 1_200_000)
        #expect(recorder.errors == ["BadDeviceToken": 1, "the connection was closed": 2])
        #expect(recorder.lost().isEmpty)
        #expect((recorder.offered, recorder.achieved) == (4, 1))
    }

    @Test func secondArrivalIsADuplicate() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        for time in [1_000_200, 1_000_300, 1_000_400] { recorder.arrive(Self.id(0), at: time) }
        #expect(recorder.duplicated == 2)
        #expect(recorder.delivered.totalCount == 1)
    }

    @Test func itemAfterOneThatWasSentLaterIsReordered() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        _ = Self.send(&recorder, at: 1_200_000, answered: 1_200_100)
        recorder.arrive(Self.id(2), at: 1_300_000)
        recorder.arrive(Self.id(0), at: 1_300_001)
        #expect(recorder.reordered == 1)
    }

    @Test func itemsOfRequestsThatOverlapHaveNoOrder() {
        var recorder = Self.recorder()
        let first = Self.send(&recorder, at: 1_000_000, answered: nil)
        _ = Self.send(&recorder, at: 1_000_050, answered: 1_200_100)
        recorder.answer(first, refusing: [:], at: 1_000_100)
        recorder.arrive(Self.id(2), at: 1_300_000)
        recorder.arrive(Self.id(0), at: 1_300_001)
        recorder.arrive(Self.id(3), at: 1_300_002)
        recorder.arrive(Self.id(1), at: 1_300_003)
        #expect(recorder.reordered == 0)
    }

    @Test func itemMayArriveAndBeAcknowledgedBeforeItsRequestIsAnswered() {
        var recorder = Self.recorder()
        let request = Self.send(&recorder, at: 1_000_000, answered: nil)
        recorder.arrive(Self.id(0), at: 1_000_010)
        recorder.arrive(Self.id(1), at: 1_000_010)
        recorder.acknowledge([Self.id(0), Self.id(1)], at: 1_000_020)
        recorder.answer(request, refusing: [:], at: 1_000_030)
        #expect(recorder.isSettled)
        #expect(recorder.takeSecond(1).backlog == 0)
    }

    @Test func secondHasWhatHappenedSinceTheOneBefore() throws {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        recorder.arrive(Self.id(0), at: 1_010_000)
        let first = recorder.takeSecond(0)
        #expect((first.offered, first.accepted, first.delivered, first.backlog) == (2, 2, 1, 2))
        #expect(try #require(first.p50).rounded() == 10)
        let second = recorder.takeSecond(1)
        #expect((second.offered, second.delivered, second.backlog) == (0, 0, 2))
        #expect(second.p50 == nil)
    }

    @Test func itemsOfOthersAreIgnored() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        recorder.arrive("9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11", at: 1)
        recorder.arrive(Self.id(999), at: 1)
        recorder.acknowledge(["9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11"], at: 1)
        #expect(recorder.delivered.totalCount == 0)
    }

    @Test(arguments: 1...20) func bitSetIsASet(_ seed: Int) {
        var random = SeededGenerator(seed: seed)
        var (set, model) = (BitSet(), Set<Int>())
        var (other, otherModel) = (BitSet(), Set<Int>())
        for _ in 0..<500 {
            let number = Int.random(in: 0..<2_000, using: &random)
            let isNew = set.insert(number)
            #expect(isNew == model.insert(number).inserted)
            let another = Int.random(in: 0..<1_000, using: &random)
            _ = other.insert(another)
            otherModel.insert(another)
        }
        #expect((0..<2_100).filter(set.contains) == model.sorted())
        #expect(Array(set.subtracting(other)) == model.subtracting(otherModel).sorted())
    }
}
