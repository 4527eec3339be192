import Fleets
import Foundation
import Testing
import WaypostSchema

@testable import LoadTesting

@Suite struct LoadResultTests {
    /// A result with latencies in milliseconds, and ten seconds with a rate.
    private static func result(
        _ latencies: [Int],
        rate: Int = 100,
        _ change: (inout LoadResult) -> Void = { _ in }
    ) -> LoadResult {
        var result = LoadResult(
            run: LoadRunDescription(
                name: "run",
                start: Timestamp(milliseconds: 0),
                duration: 10,
                warmUp: 0,
                settings: [],
                machine: [],
                gateway: []
            )
        )
        var summary = LatencySummary()
        summary.count = latencies.count
        summary.histogram = Dictionary(grouping: latencies) { $0 }.sorted { $0.key < $1.key }.map {
            [$0.key * 1_000, $0.value.count]
        }
        result.delivered = LatencySummary(summary.recordedHistogram)
        (result.offered, result.achieved) = (10 * rate, 10 * rate)
        (result.offeredRate, result.achievedRate) = (Double(rate), Double(rate))
        result.seconds = (0..<10).map { number in
            var second = LoadSecond(second: number)
            (second.offered, second.accepted) = (rate, rate + number % 3)
            (second.p50, second.p99, second.max) = (result.delivered.p50, result.delivered.p99, result.delivered.max)
            return second
        }
        change(&result)
        return result
    }

    @Test func resultSurvivesJSON() throws {
        let result = Self.result(Array(1...1_000)) { $0.lostIDs = ["a"] }
        #expect(try LoadResult(json: Array(JSONEncoder().encode(result))) == result)
    }

    @Test func mergedPercentilesAreThoseOfAllNotifications() throws {
        let (fast, slow) = (
            Self.result(Array(repeating: 1, count: 900)), Self.result(Array(repeating: 100, count: 100))
        )
        let merged = try #require(LoadResult(merging: [fast, slow]))
        #expect(merged.delivered.count == 1_000)
        #expect(merged.delivered.p50.rounded() == 1)
        #expect(abs(merged.delivered.p99 - 100) < 0.2)
        #expect(merged.offered == 2_000)
        #expect(merged.seconds.count == 10)
        #expect(merged.seconds[0].offered == 200)
        #expect(LoadResult(merging: []) == nil)
    }

    @Test func largestNumbersOfAFileAreAddedAndCompared() throws {
        let large = Self.result([1]) { result in
            (result.run.duration, result.offered, result.lost) = (1e300, .max, .max)
            result.errors = ["a": .max]
            result.delivered.histogram = [[1_000, .max], [2_000, 1 << 53], [3_000, 1], [.max, 1]]
            result.seconds[0].offered = .max
        }
        let other = Self.result([1]) { ($0.lost, $0.errors) = (.min, ["a": 1]) }
        let merged = try #require(LoadResult(merging: [large, large, other]))
        #expect(merged.offered == .max)
        #expect(merged.lost == -1)
        #expect(merged.errors == ["a": .max])
        #expect(merged.seconds[0].offered == .max)
        #expect(merged.delivered.count == 1 << 53 + 1)
        #expect(LoadComparison(large, other, tolerance: 0).figures.first { $0.name == "lost" }?.isWorse == false)
        #expect(!LoadComparison(large, large, tolerance: 0).isWorse)
        #expect(LoadReport(merged).html.hasPrefix("<!DOCTYPE html>"))
    }

    @Test(arguments: [
        ("lost=0", true), ("lost<1", true), ("lost>0", false), ("delivered.p50<=501ms", true),
        ("delivered.p99<900ms", false),
        ("delivered.max<1s", false), ("delivered.max<=1001", true), ("achieved>=1000", true), ("errors=3", true),
        ("achievedRate>99.5", true), (" lost = 0 ", true), ("accepted.p999<1ms", false),
    ])
    func objectiveComparesAFigure(_ text: String, _ isMet: Bool) throws {
        let result = Self.result(Array(1...1_000)) { $0.errors = ["a": 1, "b": 2] }
        let checked = try Objective(text).evaluate(result)
        #expect(checked.isMet == isMet, "\(checked.actual)")
        #expect(checked.objective == text)
    }

    @Test(arguments: [("lost=0", false), ("accepted.p99<1s", false), ("duplicated=0", false), ("errors=5", true)])
    func nothingIsProvedIfNothingWasAccepted(_ text: String, _ isMet: Bool) throws {
        let result = Self.result([]) { ($0.offered, $0.achieved, $0.errors) = (5, 0, ["PayloadTooLarge": 5]) }
        let checked = try Objective(text).evaluate(result)
        #expect(checked.isMet == isMet)
        #expect(checked.actual == (isMet ? "5" : "nothing accepted"))
        let undelivered = try Objective("delivered.p99<1s").evaluate(Self.result([]))
        #expect(undelivered.actual == "nothing delivered" && !undelivered.isMet)
    }

    @Test(arguments: [
        ("lost", "'lost' compares nothing; use lost=0 or delivered.p99<50ms"),
        ("loss=0", "'loss' is no figure of a result; did you mean 'lost'?"),
        ("bytes=0", "'bytes' is no figure of a result; figures: offered,"),
        ("deliverd.p99<5", "'deliverd.p99' is no figure of a result; did you mean 'delivered.p99'?"),
        ("lost<5ms", "'5ms' is no limit of 'lost'; use a number"),
        ("delivered.p99<soon", "'soon' is no limit of 'delivered.p99'; use a time such as 50ms"),
    ])
    func unusableObjectiveSaysWhatIsAccepted(_ text: String, _ message: String) {
        let error = #expect(throws: LoadValueError.self) { try Objective(text) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test func sameResultIsNotWorse() {
        let result = Self.result(Array(1...1_000))
        #expect(!LoadComparison(result, result, tolerance: 0).isWorse)
    }

    @Test func slowerResultIsWorseBeyondTheTolerance() {
        let (before, after) = (Self.result(Array(1...1_000)), Self.result((1...1_000).map { $0 * 11 / 10 + 1 }))
        let worse = LoadComparison(before, after, tolerance: 0.05)
        #expect(worse.figures.filter(\.isWorse).map(\.name) == ["delivered.p50", "delivered.p99"])
        #expect(!LoadComparison(before, after, tolerance: 0.2).isWorse)
        #expect(!LoadComparison(after, before, tolerance: 0.05).isWorse)
    }

    @Test func lowerRateAndLossAreWorse() {
        let before = Self.result(Array(1...1_000))
        #expect(LoadComparison(before, Self.result(Array(1...1_000), rate: 80), tolerance: 0.05).isWorse)
        #expect(!LoadComparison(before, Self.result(Array(1...1_000), rate: 120), tolerance: 0.05).isWorse)
        #expect(LoadComparison(before, Self.result(Array(1...1_000)) { $0.lost = 1 }, tolerance: 1).isWorse)
    }

    @Test func differenceWithinTheNoiseOfTheSecondsIsNotWorse() {
        func noisy(_ base: Double) -> LoadResult {
            Self.result(Array(1...1_000)) { result in
                result.delivered.p99 = base
                for index in result.seconds.indices { result.seconds[index].p99 = base * (index % 2 == 0 ? 0.3 : 1.7) }
            }
        }
        let comparison = LoadComparison(noisy(100), noisy(120), tolerance: 0.05)
        #expect(comparison.figures.first { $0.name == "delivered.p99" }?.isWorse == false)
    }

    @Test func percentileTextIsThatOfHdrHistogram() {
        let text = Self.result(Array(1...1_000)).percentileText
        #expect(text.contains("Percentile"))
        #expect(text.contains("#[Mean"))
        #expect(text.contains("1/(1-Percentile)"))
    }

    @Test func metricsOfASecondAreDifferences() {
        let before = MetricsScrape(
            """
            # TYPE process_cpu_seconds_total counter
            process_cpu_seconds_total 10.5
            waypost_commit_duration_seconds_sum 1
            waypost_commit_duration_seconds_count 100
            waypost_commit_duration_seconds_bucket{le="1"} 7
            """
        )
        let after = MetricsScrape(
            """
            process_cpu_seconds_total 11.5
            process_resident_memory_bytes 1000000
            waypost_commit_duration_seconds_sum 1.5
            waypost_commit_duration_seconds_count 200
            waypost_commit_queue_items 7
            """
        )
        let second = after.change(since: before, seconds: 2)
        #expect(second.cpu == 0.5)
        #expect(second.memory == 1_000_000)
        #expect(second.sync == 5)
        #expect(second.queues["commit queue"] == 7)
        #expect(after.change(since: after, seconds: 1).sync == nil)
    }

    @Test func reportHasTheFiguresAndNoNetwork() {
        let hostile = "<script>alert(1)</script>"
        let html = LoadReport(
            Self.result(Array(1...1_000)) { result in
                result.run.name = hostile
                (result.lost, result.lostIDs) = (2, ["lost-1", "lost-2"])
                result.errors = ["<b>reason</b>": 5]
            }
        ).html
        #expect(html.hasPrefix("<!DOCTYPE html>"))
        #expect(html.contains("default-src 'none'"))
        #expect(!html.contains(hostile))
        #expect(!html.contains("<b>reason"))
        #expect(!html.contains("http://") && !html.contains("https://") && !html.contains("<script"))
        for figure in ["delivered.p99", "lost", "offeredRate", "achievedRate"] {
            #expect(html.contains("data-figure=\"\(figure)\""), "\(figure)")
        }
        #expect(html.contains("lost-2"))
    }
}
