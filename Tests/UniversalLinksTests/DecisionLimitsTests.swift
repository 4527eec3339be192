import Testing
import UniversalLinks
import WaypostSchema

/// The decisions about several URLs in one answer, and their limits.
@Suite struct DecisionLimitsTests {
    /// Counts the URLs that a matcher starts with.
    private final class StartedURLs {
        var count = 0
    }

    private func urls(_ count: Int, path: String = "z") -> [String] {
        (0..<count).map { "https://clowntown.example/\(path)\($0)" }
    }

    private func matcher(ruleCount: Int, appCount: Int = 1) throws -> AssociationMatcher {
        let apps = (0..<appCount).map { #""ABCDE12345.com.example.app\#($0)""# }.joined(separator: ",")
        let rules = (0..<ruleCount).map { #"{"/":"/\#($0)*"}"# }.joined(separator: ",")
        return try AssociationMatcher(
            json: #"{"applinks":{"details":[{"appIDs":[\#(apps)],"components":[\#(rules)]}]}}"#
        )
    }

    /// Returns the error of the decisions, and the number of URLs for which work was done.
    private func error(
        of matcher: AssociationMatcher,
        on urls: [String],
        within limits: DecisionLimits = DecisionLimits()
    ) -> (error: DecisionLimitError?, startedCount: Int) {
        let started = StartedURLs()
        do throws(DecisionLimitError) {
            _ = try matcher.decisions(on: urls, within: limits) {
                started.count += 1
                return false
            }
            return (nil, started.count)
        } catch {
            return (error, started.count)
        }
    }

    @Test func decisionsAreThoseOfEachURL() throws {
        let matcher = try matcher(ruleCount: 3, appCount: 2)
        let urls = urls(2) + ["https://clowntown.example/1", "no URL", ""]
        let decisions = try matcher.decisions(on: urls, within: DecisionLimits()) { false }
        #expect(decisions == urls.flatMap { matcher.decisions(on: $0, tracing: true) })
        #expect(decisions.count == 10)
    }

    @Test(arguments: [(1_000, 1, 49, true), (1_000, 1, 50, false), (9, 100, 50, true), (9, 100, 51, false)])
    func resultsAreLimited(_ ruleCount: Int, appCount: Int, urlCount: Int, isAccepted: Bool) throws {
        let (error, startedCount) = error(
            of: try matcher(ruleCount: ruleCount, appCount: appCount),
            on: urls(urlCount)
        )
        #expect(error == (isAccepted ? nil : .tooManyResults(limit: 50_000)))
        // Nothing is computed for an answer that is refused.
        #expect(startedCount == (isAccepted ? urlCount : 0))
    }

    @Test func fileWithoutAnAppHasAResultForEachURL() throws {
        let matcher = try AssociationMatcher(json: #"{"applinks":{"details":[]}}"#)
        #expect(error(of: matcher, on: urls(50_001)).error == .tooManyResults(limit: 50_000))
        #expect(error(of: matcher, on: urls(1_000)).error == nil)
    }

    @Test func sizeIsLimited() throws {
        let path = String(repeating: "long", count: 4_000)
        let (error, startedCount) = error(of: try matcher(ruleCount: 1), on: urls(10_000, path: path))
        #expect(error == .tooLarge(limit: 8 << 20))
        #expect(startedCount < 600)
    }

    @Test func longRulesCountForEachURL() throws {
        let rule = #"{"/":"/\#(String(repeating: "rule", count: 25_000))*"}"#
        let matcher = try AssociationMatcher(json: Clowntown.json([rule]))
        let (error, startedCount) = error(of: matcher, on: urls(10_000))
        #expect(error == .tooLarge(limit: 8 << 20))
        #expect(startedCount < 100)
    }

    @Test func workIsLimited() throws {
        var limits = DecisionLimits()
        limits.stepCount = 1_000_000
        let rule = #"{"/":"/\#(String(repeating: "*a", count: 20))b"}"#
        let matcher = try AssociationMatcher(json: Clowntown.json([rule]))
        let urls = urls(1_000, path: String(repeating: "a", count: 2_000))
        let (error, startedCount) = error(of: matcher, on: urls, within: limits)
        #expect(error == .tooMuchWork)
        #expect((2...200).contains(startedCount), "\(startedCount)")
    }

    @Test func workEndsWhenNobodyNeedsIt() throws {
        let started = StartedURLs()
        let matcher = try matcher(ruleCount: 10)
        #expect(throws: DecisionLimitError.canceled) {
            try matcher.decisions(on: urls(1_000), within: DecisionLimits()) {
                started.count += 1
                return started.count > 3
            }
        }
        #expect(started.count == 4)
    }
}
