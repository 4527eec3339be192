import Testing
import WaypostSchema
import WaypostTestSupport

@testable import UniversalLinks

/// Evaluation of a file's rules for apps, domains, languages and regions.
@Suite struct LinkMatcherTests {
    private static let json = """
        {"applinks": {"details": [
          {"appIDs": ["A.one", "A.two"], "components": [{"/": "/both"}]},
          {"appIDs": ["A.two"], "components": [{"/": "/two"}, {"/": "/none", "exclude": true}]},
          {"appIDs": ["A.three"], "components": []}
        ]}}
        """

    @Test func appsAreInTheOrderOfTheFile() throws {
        #expect(try AssociationMatcher(json: Self.json).apps == ["A.one", "A.two", "A.three"])
    }

    @Test(.proves("B63")) func everyAppGetsAMatch() throws {
        let matcher = try AssociationMatcher(json: Self.json)
        #expect(
            try matcher.matchAllApps(LinkURL("https://clowntown.example/both")) == [
                LinkMatch(reason: .matched, ruleIndex: 0), LinkMatch(reason: .matched, ruleIndex: 0),
                LinkMatch(reason: .noRuleMatched),
            ]
        )
        #expect(
            try matcher.matchAllApps(LinkURL("https://clowntown.example/none")) == [
                LinkMatch(reason: .noRuleMatched), LinkMatch(reason: .excluded, ruleIndex: 2),
                LinkMatch(reason: .noRuleMatched),
            ]
        )
    }

    @Test func everyAppGetsADecision() throws {
        let decisions = try AssociationMatcher(json: Self.json).decisions(on: "https://clowntown.example/two")
        #expect(decisions.map(\.app) == ["A.one", "A.two", "A.three"])
        #expect(decisions.map(\.outcome) == [.noMatch, .match, .noMatch])
        #expect(decisions.map(\.place) == [nil, "applinks.details[1].components[0]", nil])
        #expect(decisions.map(\.line) == [nil, 3, nil])
    }

    @Test(arguments: LinkDecision.Reason.allCases)
    func outcomeFollowsFromTheReason(_ reason: LinkDecision.Reason) {
        let expected: LinkDecision.Outcome =
            switch reason {
            case .matched: .match
            case .excluded: .exclude
            default: .noMatch
            }
        #expect(LinkMatch(reason: reason).outcome == expected)
    }

    @Test(arguments: [
        ("clowntown.example", LinkDecision.Outcome.match), ("CLOWNTOWN.Example", .match),
        ("www.clowntown.example", .noMatch),
        ("example", .noMatch), ("", .noMatch),
    ])
    func urlMustBelongToTheDomain(_ domain: String, _ outcome: LinkDecision.Outcome) throws {
        let matcher = try Clowntown.matcher("{}")
        let url = "https://clowntown.example/tents"
        #expect(matcher.decision(on: url, for: Clowntown.app, domain: domain).outcome == outcome)
        #expect(matcher.decisions(on: url, domain: domain).map(\.outcome) == [outcome])
    }

    @Test func urlMayBeOfAnyDomainIfNoneIsGiven() throws {
        let matcher = try Clowntown.matcher("{}")
        #expect(matcher.decision(on: "https://other.example/", for: Clowntown.app).outcome == .match)
    }

    @Test(
        arguments: [
            (nil, nil, ["/fr_CA", "/de_DE", "/en_GB"]), ("fr", nil, ["/fr_CA", "/fr_FR"]),
            (nil, "CA", ["/fr_CA", "/de_CA"]),
            ("fr", "CA", ["/fr_CA"]),
        ] as [(String?, String?, [String])]
    )
    func languageAndRegionMayBeFixed(_ language: String?, _ region: String?, _ paths: [String]) throws {
        let file = try AssociationFile(json: Clowntown.json([#"{"/":"/$(lang)_$(region)"}"#]))
        let matcher = AssociationMatcher(file, language: language, region: region)
        for path in ["/fr_CA", "/fr_FR", "/de_DE", "/de_CA", "/en_GB"] {
            let fits =
                (language.map { path.hasPrefix("/\($0)_") } ?? true)
                && (region.map { path.hasSuffix("_\($0)") } ?? true)
            #expect((matcher.outcome(path) == .match) == fits, "\(path)")
            #expect(!paths.contains(path) || fits)
        }
    }
}
