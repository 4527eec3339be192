import Fleets
import GatewayClient
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
        LoadRecorder(traffic, devices: ["c0ffee"], measuredTimes: 1_000_000..<2_000_000)
    }

    private static func id(_ number: Int) -> NotificationID {
        traffic.identifiers.identifier(number)
    }

    /// Offers a request, and returns its number.
    private static func send(_ recorder: inout LoadRecorder, at time: Int, answered: Int?) -> Int {
        let request = recorder.addRequest(intendedAt: time)
        recorder.recordStart(of: request, at: time)
        if let answered { recorder.recordResponse(to: request, refusals: [:], at: answered) }
        return request
    }

    @Test func latenciesBeginAtTheIntendedStart() {
        var recorder = Self.recorder()
        let request = recorder.addRequest(intendedAt: 1_000_000)
        // The generator is late by 30 ms, which counts.
        recorder.recordStart(of: request, at: 1_030_000)
        recorder.recordResponse(to: request, refusals: [:], at: 1_040_000)
        recorder.recordArrival(of: Self.id(0), on: "c0ffee", at: 1_050_000)
        recorder.recordArrival(of: Self.id(1), on: "c0ffee", at: 1_050_000)
        for number in 0...1 { recorder.recordAcknowledgement(of: Self.id(number), on: "c0ffee", at: 1_060_000) }
        #expect(LatencySummary(recorder.acceptanceLatency).p50.rounded() == 40)
        #expect(LatencySummary(recorder.deliveryLatency).max.rounded() == 50)
        #expect(LatencySummary(recorder.acknowledgementLatency).p99.rounded() == 60)
        #expect((recorder.offeredCount, recorder.acceptedCount, recorder.lateStartCount) == (2, 2, 1))
        #expect(recorder.isSettled)
        #expect(recorder.missingItems().isEmpty)
    }

    @Test func warmUpAndTheTimeAfterDoNotCount() {
        var recorder = Self.recorder()
        for time in [0, 999_999, 2_000_000] {
            let request = Self.send(&recorder, at: time, answered: time + 1)
            recorder.recordArrival(of: Self.id(2 * request), on: "c0ffee", at: time + 2)
            recorder.recordArrival(of: Self.id(2 * request), on: "c0ffee", at: time + 3)
        }
        #expect((recorder.offeredCount, recorder.acceptedCount, recorder.duplicateCount) == (0, 0, 0))
        #expect(recorder.deliveryLatency.totalCount == 0)
        #expect(recorder.missingItems().isEmpty)
        #expect(recorder.finishSecond(0).delivered == 3)
    }

    @Test func acceptedItemThatNeverArrivesIsLost() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        recorder.recordArrival(of: Self.id(1), on: "c0ffee", at: 1_000_200)
        #expect(recorder.missingItems().map(\.id) == [Self.id(0)])
        #expect(!recorder.isSettled)
    }

    @Test func refusedAndUnansweredItemsAreErrorsAndNotLost() {
        var recorder = Self.recorder()
        let first = recorder.addRequest(intendedAt: 1_000_000)
        recorder.recordStart(of: first, at: 1_000_000)
        recorder.recordResponse(to: first, refusals: [1: "BadDeviceToken"], at: 1_000_100)
        let second = recorder.addRequest(intendedAt: 1_100_000)
        recorder.recordFailure(of: second, reason: "the connection was closed")
        recorder.recordArrival(of: Self.id(0), on: "c0ffee", at: 1_200_000)
        #expect(recorder.errorCounts == ["BadDeviceToken": 1, "the connection was closed": 2])
        #expect(recorder.missingItems().isEmpty)
        #expect((recorder.offeredCount, recorder.acceptedCount) == (4, 1))
    }

    @Test func secondArrivalIsADuplicate() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        for time in [1_000_200, 1_000_300, 1_000_400] { recorder.recordArrival(of: Self.id(0), on: "c0ffee", at: time) }
        #expect(recorder.duplicateCount == 2)
        #expect(recorder.deliveryLatency.totalCount == 1)
    }

    @Test func itemAfterOneThatWasSentLaterIsReordered() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        _ = Self.send(&recorder, at: 1_200_000, answered: 1_200_100)
        recorder.recordArrival(of: Self.id(2), on: "c0ffee", at: 1_300_000)
        recorder.recordArrival(of: Self.id(0), on: "c0ffee", at: 1_300_001)
        #expect(recorder.reorderedCount == 1)
    }

    @Test func itemsOfRequestsThatOverlapHaveNoOrder() {
        var recorder = Self.recorder()
        let first = Self.send(&recorder, at: 1_000_000, answered: nil)
        _ = Self.send(&recorder, at: 1_000_050, answered: 1_200_100)
        recorder.recordResponse(to: first, refusals: [:], at: 1_000_100)
        recorder.recordArrival(of: Self.id(2), on: "c0ffee", at: 1_300_000)
        recorder.recordArrival(of: Self.id(0), on: "c0ffee", at: 1_300_001)
        recorder.recordArrival(of: Self.id(3), on: "c0ffee", at: 1_300_002)
        recorder.recordArrival(of: Self.id(1), on: "c0ffee", at: 1_300_003)
        #expect(recorder.reorderedCount == 0)
    }

    @Test func itemMayArriveAndBeAcknowledgedBeforeItsRequestIsAnswered() {
        var recorder = Self.recorder()
        let request = Self.send(&recorder, at: 1_000_000, answered: nil)
        recorder.recordArrival(of: Self.id(0), on: "c0ffee", at: 1_000_010)
        recorder.recordArrival(of: Self.id(1), on: "c0ffee", at: 1_000_010)
        for number in 0...1 { recorder.recordAcknowledgement(of: Self.id(number), on: "c0ffee", at: 1_000_020) }
        recorder.recordResponse(to: request, refusals: [:], at: 1_000_030)
        #expect(recorder.isSettled)
        #expect(recorder.finishSecond(1).backlog == 0)
    }

    @Test func secondHasWhatHappenedSinceTheOneBefore() throws {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        recorder.recordArrival(of: Self.id(0), on: "c0ffee", at: 1_010_000)
        let first = recorder.finishSecond(0)
        #expect((first.offered, first.accepted, first.delivered, first.backlog) == (2, 2, 1, 2))
        #expect(try #require(first.p50).rounded() == 10)
        let second = recorder.finishSecond(1)
        #expect((second.offered, second.delivered, second.backlog) == (0, 0, 2))
        #expect(second.p50 == nil)
    }

    @Test func itemOnAnotherDeviceHasNotArrived() {
        let traffic = LoadTraffic(LoadTraffic.Settings(), tokens: ["a", "b"], itemsPerRequest: 1, seed: 1, run: 1)
        var recorder = LoadRecorder(traffic, devices: ["a", "b"], measuredTimes: 0..<1_000)
        let request = Self.send(&recorder, at: 0, answered: 1)
        let wrong: DeviceToken = traffic.destination(of: request) == .device(0) ? "b" : "a"
        recorder.recordArrival(of: traffic.identifiers.identifier(request), on: wrong, at: 2)
        #expect(recorder.missingItems().map(\.device) == [wrong == "a" ? "b" : "a"])
        #expect(recorder.deliveryLatency.totalCount == 0)
    }

    @Test func itemOfTheChannelMustArriveOnEveryDevice() {
        var settings = LoadTraffic.Settings()
        settings.broadcastShare = 1
        let devices: [DeviceToken] = ["a", "b", "c"]
        let traffic = LoadTraffic(settings, tokens: devices, itemsPerRequest: 1, seed: 1, run: 1)
        var recorder = LoadRecorder(traffic, devices: devices, measuredTimes: 0..<1_000)
        let request = Self.send(&recorder, at: 0, answered: 1)
        let id = traffic.identifiers.identifier(request)
        for device in devices.prefix(2) {
            recorder.recordArrival(of: id, on: device, at: 2)
            recorder.recordAcknowledgement(of: id, on: device, at: 3)
        }
        recorder.recordArrival(of: id, on: "b", at: 4)
        #expect((recorder.acceptedCount, recorder.duplicateCount, recorder.deliveryLatency.totalCount) == (1, 1, 2))
        let missing = LoadRecorder.MissingItem(id: id, device: "c")
        #expect(recorder.missingItems() == [missing])
        #expect(!recorder.isSettled)
        #expect(recorder.isSettled(ignoring: [missing]))
        recorder.recordArrival(of: id, on: "c", at: 5)
        recorder.recordAcknowledgement(of: id, on: "c", at: 6)
        #expect(recorder.isSettled && recorder.missingItems().isEmpty)
    }

    @Test func itemThatEndedOtherwiseNeedsNoAcknowledgement() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        recorder.recordAcknowledgement(of: Self.id(1), on: "c0ffee", at: 1_000_200)
        #expect(!recorder.isSettled(ignoring: [LoadRecorder.MissingItem(id: Self.id(1), device: "c0ffee")]))
        #expect(recorder.isSettled(ignoring: [LoadRecorder.MissingItem(id: Self.id(0), device: "c0ffee")]))
    }

    @Test func requestWhoseItemsWereAllRefusedHasNoLatency() {
        var recorder = Self.recorder()
        let request = Self.send(&recorder, at: 1_000_000, answered: nil)
        recorder.recordResponse(to: request, refusals: [0: "status 503", 1: "status 503"], at: 1_900_000)
        #expect(recorder.acceptanceLatency.totalCount == 0)
        #expect(LatencySummary(recorder.acceptanceLatency).max == 0)
        _ = Self.send(&recorder, at: 1_950_000, answered: 1_950_100)
        #expect(LatencySummary(recorder.acceptanceLatency).max.rounded() == 0)
        #expect(recorder.secondsToLastResponse == 0.9501)
    }

    @Test func latencyOfMoreThanAnHourIsAnHour() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 9_000_000_000)
        #expect(recorder.acceptanceLatency.totalCount == 2)
    }

    @Test func itemsOfOthersAreIgnored() {
        var recorder = Self.recorder()
        _ = Self.send(&recorder, at: 1_000_000, answered: 1_000_100)
        recorder.recordArrival(of: "9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11", on: "c0ffee", at: 1)
        recorder.recordArrival(of: Self.id(999), on: "c0ffee", at: 1)
        recorder.recordAcknowledgement(of: "9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11", on: "c0ffee", at: 1)
        #expect(recorder.deliveryLatency.totalCount == 0)
    }

    @Test(arguments: 1...20) func bitSetIsASet(_ seed: Int) {
        var random = SeededRandom(seed: seed)
        var (set, model) = (BitSet(), Set<Int>())
        var (other, otherModel) = (BitSet(), Set<Int>())
        for _ in 0..<500 {
            let number = Int.random(in: 0..<2_000, using: &random)
            let isNew = set.insert(number)
            #expect(isNew == model.insert(number).inserted)
            #expect(set.count == model.count)
            let another = Int.random(in: 0..<1_000, using: &random)
            _ = other.insert(another)
            otherModel.insert(another)
        }
        #expect((0..<2_100).filter(set.contains) == model.sorted())
        #expect(Array(set.subtracting(other)) == model.subtracting(otherModel).sorted())
    }
}
