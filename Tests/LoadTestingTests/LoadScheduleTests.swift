import Fleets
import Testing

@testable import LoadTesting

@Suite struct LoadScheduleTests {
    private static func times(_ schedule: LoadSchedule, itemsPerRequest: Int = 1, seed: Int = 1) -> [Double] {
        ScheduledRequestTimes(schedule, itemsPerRequest: itemsPerRequest, seed: seed).map { Double($0) / 1_000_000 }
    }

    @Test func constantRateIsEvenlySpaced() throws {
        let schedule = try LoadSchedule("100", seconds: 2)
        #expect(schedule.itemCount == 200)
        let times = Self.times(schedule)
        #expect(times.count == 200)
        #expect(times.prefix(3) == [0, 0.01, 0.02])
        #expect(Self.times(schedule, itemsPerRequest: 50) == [0, 0.5, 1, 1.5])
    }

    @Test func rampHasTheRateOfItsTime() throws {
        let times = Self.times(try LoadSchedule("0..200", seconds: 10))
        #expect(times.count == 1_000)
        // The number of items up to the time t is 10·t².
        for (number, time) in times.enumerated() { #expect(abs(10 * time * time - Double(number)) < 0.01) }
        let falling = Self.times(try LoadSchedule("200..0", seconds: 10))
        #expect(abs((falling.last ?? 0) - (10 - (0.1 * 1).squareRoot())) < 0.01)
    }

    @Test func stepsFollowOneAnother() throws {
        let times = Self.times(try LoadSchedule("10:1s,100:500ms,10..20:2s", seconds: 99))
        #expect(times.count { $0 < 1 } == 10)
        #expect(times.count { (1..<1.5).contains($0) } == 50)
        #expect(times.count { $0 >= 1.5 } == 30)
    }

    @Test func recordedRatesAreSeconds() throws {
        let schedule = try LoadSchedule(recording: "# requests\n5\n0\n\n 20 \n")
        #expect(schedule.seconds == 3)
        let times = Self.times(schedule)
        #expect(times.count { $0 < 1 } == 5)
        #expect(times.count { (1..<2).contains($0) } == 0)
        #expect(times.count { $0 >= 2 } == 20)
    }

    @Test(arguments: 1...20) func poissonHasTheRateAndVaries(_ seed: Int) throws {
        var schedule = try LoadSchedule("1000", seconds: 10)
        schedule.isRandom = true
        let times = Self.times(schedule, seed: seed)
        // The standard deviation of 10,000 events is 100.
        #expect((9_500...10_500).contains(times.count))
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
        // In an exponential distribution, the standard deviation is the mean.
        #expect(abs(variance.squareRoot() / mean - 1) < 0.1)
        #expect(times == Self.times(schedule, seed: seed))
        #expect(times != Self.times(schedule, seed: seed + 100))
    }

    @Test func warmUpHasTheFirstRate() throws {
        let schedule = try LoadSchedule("100..300", seconds: 1).preceded(bySeconds: 2)
        #expect(schedule.seconds == 3)
        #expect(Self.times(schedule).count { $0 < 2 } == 200)
    }

    @Test(arguments: [
        ("fast", "'fast' is no rate; use 2000, 100..2000, or 500:10s,1000:20s"),
        ("", "'' is no rate"), ("-5", "'-5' is no rate"), ("0", "'0' is no rate"), ("1..2..3", "'1..2..3' is no rate"),
        ("10,20", "'10' has no length; use steps such as 500:10s,1000:20s"),
        ("10:soon", "'soon' is no length; use a number and a unit, such as 10s"),
        ("1e99", "'1e99' is no rate"), ("nan", "'nan' is no rate"),
    ])
    func unusableRateSaysWhatIsAccepted(_ text: String, _ message: String) {
        let error = #expect(throws: LoadValueError.self) { try LoadSchedule(text, seconds: 1) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test func unusableRecordingNamesTheLine() {
        let error = #expect(throws: LoadValueError.self) { try LoadSchedule(recording: "5\nmany\n") }
        #expect(error?.description == "line 2: 'many' is no rate; use one number from 0 to 10000000 a line")
        #expect(throws: LoadValueError.self) { try LoadSchedule(recording: "0\n") }
    }
}
