import Fleets
import Testing
import WaypostSchema

@testable import LoadTesting

@Suite struct RateSearchTests {
    private static func settings(_ rate: String = "1000") throws -> LoadSettings {
        var options = LoadOptions()
        options.strings = [.rate: [rate], .duration: ["5s"], .slo: ["delivered.p99<50ms"]]
        return try LoadSettings(options)
    }

    /// The result of a gateway that keeps its objective up to a rate.
    private static func result(_ settings: LoadSettings, limit: Double) -> LoadResult {
        let rate = settings.schedule?.segments.first?.startRate ?? 0
        var result = LoadResult(
            run: LoadRunDescription(
                name: "",
                start: Timestamp(milliseconds: 0),
                duration: 5,
                warmUp: 0,
                settings: [],
                machine: [],
                gateway: []
            )
        )
        result.offeredRate = rate
        result.achievedRate = rate
        (result.delivered.count, result.delivered.p99) = (1, rate <= limit ? 5 : 500)
        result.objectives = settings.objectives.map { $0.evaluate(result) }
        return result
    }

    @Test(arguments: [3.3, 40, 900, 1_000, 1_001, 7_777, 123_456]) func findsTheLimit(_ limit: Double) throws {
        var search = try RateSearch(try Self.settings())
        while let rate = search.nextRate { search.record(Self.result(search.settings(at: rate), limit: limit)) }
        let found = try #require(search.bestResult)
        #expect(found.objectives.map(\.isMet) == [true])
        #expect((limit * 0.94...limit).contains(found.offeredRate))
        #expect(search.outcomes.count <= 16)
    }

    @Test func resultOfTheLowestRateIsTheBestIfNoneIsMet() throws {
        var search = try RateSearch(try Self.settings())
        while let rate = search.nextRate { search.record(Self.result(search.settings(at: rate), limit: 0)) }
        let best = try #require(search.bestResult)
        #expect(best.offeredRate < 2)
        #expect(best.objectives.map(\.isMet) == [false])
        #expect(search.outcomes.first == "1000 per second: delivered.p99<50ms is 500ms")
    }

    @Test func rateThatIsNotReachedIsNotMet() throws {
        var search = try RateSearch(try Self.settings())
        var result = Self.result(search.settings(at: 1_000), limit: 5_000)
        (result.achievedRate, result.achieved, result.acknowledged.count, result.lost) = (900, 4_500, 4_000, 3)
        search.record(result)
        #expect(
            search.outcomes == [
                "1000 per second: only 900 per second were accepted, 3 did not arrive in time, 500 were not acknowledged in time"
            ]
        )
        #expect(search.nextRate == 500)
    }

    @Test(arguments: ["100..200", "100:5s,200:5s"]) func onlyAConstantRateCanBeSearched(_ rate: String) throws {
        let settings = try Self.settings(rate)
        #expect(throws: LoadOptions.Problem.self) { try RateSearch(settings) }
    }
}
