import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// Properties of every file and URL: the order of the evaluation, and changes without an effect.
@Suite struct MatchingPropertyTests {
    private static let seeds = Trials.seeds(3, from: 1)
    private static let rounds = 60
    private static let other: ApplicationIdentifier = "ABCDE12345.com.example.juggler"
    private static let variables = #""substitutionVariables":{"word":["a","a/b","é*"],"none":[]},"#

    private static func urls(using generator: inout SeededGenerator) -> [String] {
        let pieces = [
            "/", "/", "a", "a", "b", "A", "?", "#", "&", "=", "é", "%C3%A9", "%c3%a9", "%20", "7", "a=a", "a/b", "*",
        ]
        return (0..<8).map { _ in
            let rest = (0..<Int.random(in: 0...6, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            return "https://clowntown.example/" + rest
        }
    }

    private static func rules(using generator: inout SeededGenerator) -> [LinkRule] {
        (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            var rule = LinkRule.randomComponent(using: &generator)
            // Most rules with a query and a fragment are too strict to ever match.
            if Bool.random(using: &generator) { (rule.query, rule.fragment) = (nil, nil) }
            return rule
        }
    }

    private static func entry(_ rules: [LinkRule], for app: ApplicationIdentifier = Clowntown.app) -> String {
        let components = rules.map(\.description).joined(separator: ",")
        return #"{"appIDs":["\#(app)"],"components":[\#(components)]}"#
    }

    private static func matcher(_ entries: [String]) throws -> AssociationMatcher {
        try AssociationMatcher(json: #"{"applinks":{\#(variables)"details":[\#(entries.joined(separator: ","))]}}"#)
    }

    private static func answer(_ matcher: AssociationMatcher, _ url: String) -> LinkDecision {
        matcher.decision(on: url, for: Clowntown.app, domain: Clowntown.domain)
    }

    @Test(arguments: seeds)
    func firstMatchingRuleDecides(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var decidedCount = 0
        for _ in 0..<Self.rounds {
            let rules = Self.rules(using: &generator)
            let whole = try Self.matcher([Self.entry(rules)])
            let alone = try rules.map { try Self.matcher([Self.entry([$0])]) }
            for url in Self.urls(using: &generator) {
                let first = alone.firstIndex { Self.answer($0, url).outcome != .noMatch }
                let expected = first.map { rules[$0].isExclusion ? LinkDecision.Outcome.exclude : .match }
                let decision = Self.answer(whole, url)
                #expect(decision.outcome == expected ?? .noMatch, "seed \(seed): \(rules) on \(url)")
                #expect(decision.place == first.map { "applinks.details[0].components[\($0)]" })
                #expect(decision.rule == first.map { rules[$0].description })
                decidedCount += first == nil ? 0 : 1
            }
        }
        #expect(decidedCount > Self.rounds)
    }

    @Test(arguments: seeds)
    func ruleAfterTheDecidingOneChangesNothing(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let rules = Self.rules(using: &generator)
            let before = try Self.matcher([Self.entry(rules)])
            let added = [LinkRule.randomComponent(using: &generator), LinkRule()]
            let inside = try Self.matcher([Self.entry(rules + added)])
            let behind = try Self.matcher([Self.entry(rules), Self.entry(added)])
            for url in Self.urls(using: &generator) {
                let decision = Self.answer(before, url)
                guard decision.outcome != .noMatch else { continue }
                #expect(Self.answer(inside, url) == decision, "seed \(seed): \(rules) on \(url)")
                #expect(Self.answer(behind, url) == decision, "seed \(seed): \(rules) on \(url)")
            }
        }
    }

    @Test(arguments: seeds)
    func entryForAnotherAppChangesNothing(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let (mine, more) = (Self.entry(Self.rules(using: &generator)), Self.entry(Self.rules(using: &generator)))
            let others = Self.entry(Self.rules(using: &generator), for: Self.other)
            let without = try Self.matcher([mine, more])
            let with = try [[others, mine, more], [mine, others, more], [mine, more, others]].map(Self.matcher)
            for url in Self.urls(using: &generator) {
                let decision = Self.answer(without, url)
                for matcher in with {
                    let again = Self.answer(matcher, url)
                    #expect(again.reason == decision.reason, "seed \(seed): \(mine), \(others) on \(url)")
                    #expect(again.rule == decision.rule, "seed \(seed): \(mine), \(others) on \(url)")
                }
            }
        }
    }

    @Test(arguments: seeds)
    func rulesSplitIntoTwoEntriesDecideAsInOne(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let rules = Self.rules(using: &generator)
            let cut = Int.random(in: 0...rules.count, using: &generator)
            let one = try Self.matcher([Self.entry(rules)])
            let two = try Self.matcher([Self.entry(Array(rules[..<cut])), Self.entry(Array(rules[cut...]))])
            for url in Self.urls(using: &generator) {
                #expect(Self.answer(two, url).rule == Self.answer(one, url).rule, "seed \(seed): \(rules) on \(url)")
            }
        }
    }

    @Test(arguments: seeds, ["*", "/*", "**", "/**"])
    func starMatchesEveryPath(seed: UInt64, pattern: String) throws {
        var generator = SeededGenerator(seed: seed)
        let matchers = try [
            Clowntown.matcher(#"{"/":"\#(pattern)"}"#),
            AssociationMatcher(
                json: #"{"applinks":{"details":[{"appID":"\#(Clowntown.app)","paths":["\#(pattern)"]}]}}"#
            ),
        ]
        for url in (0..<40).flatMap({ _ in Self.urls(using: &generator) }) + ["https://clowntown.example"] {
            for matcher in matchers { #expect(Self.answer(matcher, url).matched, "\(url)") }
        }
    }

    @Test(arguments: seeds)
    func starMatchesEveryQueryAndFragment(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let matchers = try [
            Clowntown.matcher(##"{"?":"*","#":"*"}"##), Clowntown.matcher(##"{"?":{"a":"*","":"*","é":"*"},"#":"*"}"##),
            Clowntown.matcher(##"{"?":"*","#":"*","percentEncoded":false,"caseSensitive":false}"##),
            Clowntown.matcher("{}"),
        ]
        for url in (0..<40).flatMap({ _ in Self.urls(using: &generator) }) {
            for matcher in matchers { #expect(Self.answer(matcher, url).matched, "\(url)") }
        }
    }

    @Test(arguments: seeds)
    func trailingSlashesOfAPatternOrPathChangeNothing(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            var rule = LinkRule.randomComponent(using: &generator)
            (rule.query, rule.fragment) = (nil, nil)
            let matcher = try Self.matcher([Self.entry([rule])])
            rule.path = (rule.path ?? "*") + "/"
            let slashed = try Self.matcher([Self.entry([rule])])
            for url in Self.urls(using: &generator) {
                let path = String(url.prefix { $0 != "?" && $0 != "#" })
                let outcome = Self.answer(matcher, path).outcome
                #expect(Self.answer(matcher, path + "/").outcome == outcome, "seed \(seed): \(rule) on \(path)")
                #expect(Self.answer(matcher, path + "//").outcome == outcome, "seed \(seed): \(rule) on \(path)")
                #expect(Self.answer(slashed, path).outcome == outcome, "seed \(seed): \(rule) on \(path)")
            }
        }
    }

    @Test(arguments: seeds)
    func pathRuleDecidesAsAComponentWithTheSamePath(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            var component = LinkRule()
            component.path = "/" + LinkRule.pattern(using: &generator)
            var path = component
            path.form = .path
            let entries = #"{"appID":"\#(Clowntown.app)","paths":[\#(path)]}"#
            let (old, new) = try (Self.matcher([entries]), Self.matcher([Self.entry([component])]))
            for url in Self.urls(using: &generator) {
                #expect(
                    Self.answer(old, url).outcome == Self.answer(new, url).outcome,
                    "seed \(seed): \(path) on \(url)"
                )
            }
        }
    }

    @Test(arguments: seeds)
    func decisionsForAllAppsAreThoseForEachApp(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let entries = [Clowntown.app, Self.other, Clowntown.app].map { app in
                Self.entry(Self.rules(using: &generator), for: app)
            }
            let matcher = try Self.matcher(entries)
            #expect(matcher.apps == [Clowntown.app, Self.other])
            for url in Self.urls(using: &generator) {
                let link = try LinkURL(url)
                #expect(matcher.matchAllApps(link) == matcher.apps.map { matcher.match(link, for: $0) })
                #expect(matcher.decisions(on: url) == matcher.apps.map { matcher.decision(on: url, for: $0) })
            }
        }
    }
}
