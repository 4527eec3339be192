import Fleets
import Histogram
import Testing
import WaypostSchema

@testable import LoadTesting

/// A simulated server with a known delay, which answers nothing while it stalls.
@Suite struct StallingServerTests {
    private static let delay = 5_000
    private static let stall = 500_000
    private static let interval = 10_000_000

    /// More connections than requests that are due during the stall.
    private static let wide = 400

    /// The time of the answer to a request that arrives at a time.
    private static func answer(_ arrived: Int) -> Int {
        let rest = interval - arrived % interval
        return (rest <= stall ? arrived + rest : arrived) + delay
    }

    /// Sends the requests of a schedule over a number of connections, each of which has one request at a time.
    private static func run(_ schedule: LoadSchedule, connections: Int) -> (recorder: LoadRecorder, intended: [Int]) {
        let traffic = LoadTraffic(LoadTraffic.Settings(), tokens: ["a"], itemsPerRequest: 1, seed: 1, run: 1)
        let end = Int(schedule.seconds * 1_000_000)
        var recorder = LoadRecorder(traffic, devices: ["a"], measuredTimes: 0..<end)
        var free = Array(repeating: 0, count: connections)
        var intended: [Int] = []
        for time in ScheduledRequestTimes(schedule, itemsPerRequest: 1, seed: 1) {
            intended.append(time)
            let request = recorder.addRequest(intendedAt: time)
            let connection = free.indices.min { free[$0] < free[$1] } ?? 0
            let start = max(time, free[connection])
            recorder.recordStart(of: request, at: start)
            free[connection] = answer(start)
            recorder.recordResponse(to: request, refusals: [:], at: free[connection])
        }
        return (recorder, intended)
    }

    @Test(arguments: [false, true]) func percentilesAreThoseOfTheSchedule(_ isRandom: Bool) {
        let segment = LoadSchedule.Segment(seconds: 60, startRate: 500, endRate: 500)
        let schedule = LoadSchedule([segment], isRandom: isRandom)
        let (recorder, intended) = Self.run(schedule, connections: Self.wide)
        let right = intended.map { Self.answer($0) - $0 }.sorted()
        for percentile in [50.0, 90, 95, 99, 99.9, 100] {
            let place = max(0, Int((percentile / 100 * Double(right.count)).rounded(.up)) - 1)
            let measured = Double(recorder.acceptanceLatency.valueAtPercentile(percentile))
            #expect(abs(measured / Double(right[place]) - 1) < 0.01, "p\(percentile): \(measured), \(right[place])")
        }
        // One in twenty requests meets the stall, up to its whole length.
        #expect(recorder.acceptanceLatency.valueAtPercentile(99.9) > 480_000)
        #expect(recorder.lateStartCount == 0)
    }

    @Test func waitForAConnectionIsAPartOfTheLatency() {
        let schedule = LoadSchedule([LoadSchedule.Segment(seconds: 30, startRate: 500, endRate: 500)])
        let (wide, _) = Self.run(schedule, connections: Self.wide)
        let (narrow, _) = Self.run(schedule, connections: 4)
        // Four connections send nothing during the stall. What was due meanwhile has waited all the same.
        #expect(narrow.lateStartCount > 700)
        #expect(narrow.acceptanceLatency.valueAtPercentile(99.9) >= wide.acceptanceLatency.valueAtPercentile(99.9))
        #expect(narrow.acceptanceLatency.valueAtPercentile(95) > 100_000)
    }
}
