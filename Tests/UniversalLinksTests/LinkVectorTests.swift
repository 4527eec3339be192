import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The project's own cases: every rule of the reference, with URLs that match and URLs that do not.
@Suite struct LinkVectorTests {
    private static func cases() throws -> [LinkCase] {
        try LinkCase.all(in: Repository.vectors.appending(path: "links/matches.jsonl"))
    }

    private static let features: Set = [
        "v1-paths", "v1-not", "oldest-form", "app-id", "paths-beside-components", "other-services", "star",
        "question-mark", "no-escape", "whole", "trailing-star", "trailing-slash", "leading-slash", "leading-wildcard",
        "root",
        "query-whole", "query-items", "query-absent", "query-flag", "query-repeated", "query-not-a-string", "fragment",
        "all-parts", "unknown-keys", "case", "percent-as-written", "percent-decoded", "defaults", "variables",
        "variables-predefined", "variables-wildcards", "variables-shadowing", "variables-undefined",
        "variables-nested", "first-match", "two-entries", "host", "punycode",
    ]

    @Test func everyFeatureHasCases() throws {
        #expect(try Set(Self.cases().map(\.feature)) == Self.features)
    }

    @Test(arguments: try cases())
    func caseHasTheExpectedOutcome(_ example: LinkCase) throws {
        let decision = try example.decision()
        #expect(decision.outcome == example.expect)
        #expect(decision.matched == (example.expect == .match))
        #expect((decision.rule != nil) == (example.expect != .noMatch))
        #expect(decision.url == example.url)
        #expect(decision.app == example.app)
    }

    @Test(arguments: try cases())
    func tracingDoesNotChangeTheDecision(_ example: LinkCase) throws {
        let traced = try example.decision(tracing: true)
        var plain = try example.decision()
        // Only a traced decision names the closest rule.
        #expect(traced.explanation.hasPrefix(plain.explanation))
        (plain.explanation, plain.trace) = (traced.explanation, traced.trace)
        #expect(plain == traced)
    }

    @Test(arguments: try cases())
    func onlyTheLastRuleOfATraceMatchesAndDecides(_ example: LinkCase) throws {
        let decision = try example.decision(tracing: true)
        let trace = decision.trace ?? []
        #expect(trace.dropLast().allSatisfy { !$0.matched })
        let decisive = trace.last.flatMap { $0.matched ? $0 : nil }
        #expect(decisive?.place == decision.place)
        #expect(decisive?.rule == decision.rule)
        #expect(decisive?.line == decision.line)
    }
}
