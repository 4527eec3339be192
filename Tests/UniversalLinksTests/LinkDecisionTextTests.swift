import Testing
import UniversalLinks
import WaypostSchema

/// The exact explanation of each kind of decision.
@Suite struct LinkDecisionTextTests {
    private static let app = Clowntown.app

    private static func links(_ details: String) -> String {
        #"{"applinks":{"details":[\#(details)]}}"#
    }

    private static func expect(
        _ explanation: String,
        _ reason: LinkDecision.Reason,
        of json: String,
        on url: String = "https://clowntown.example/tents"
    ) throws {
        let decision = try AssociationMatcher(json: json).decision(on: url, for: app, domain: Clowntown.domain)
        #expect(decision.reason == reason)
        #expect(decision.explanation == explanation)
    }

    @Test func matchIsExplained() throws {
        try Self.expect(
            "applinks.details[0].components[0] is the first rule for \(Self.app) that the URL matches",
            .matched,
            of: Clowntown.json([#"{"/":"/tents"}"#])
        )
    }

    @Test func exclusionIsExplained() throws {
        try Self.expect(
            "applinks.details[0].components[0] is the first rule for \(Self.app) that the URL matches, and it excludes the URL",
            .excluded,
            of: Clowntown.json([#"{"/":"/tents","exclude":true}"#])
        )
    }

    @Test func singleRuleThatDoesNotMatchIsExplained() throws {
        try Self.expect(
            "the only rule for \(Self.app) does not match",
            .noRuleMatched,
            of: Clowntown.json([#"{"/":"/rings"}"#])
        )
    }

    @Test func severalRulesThatDoNotMatchAreExplained() throws {
        try Self.expect(
            "none of the 2 rules for \(Self.app) matches",
            .noRuleMatched,
            of: Self.links(
                #"{"appIDs":["\#(Self.app)"],"components":[{"/":"/a"}]},"#
                    + #"{"appIDs":["\#(Self.app)"],"components":[{"/":"/b"}]}"#
            )
        )
    }

    @Test func missingAppIsExplained() throws {
        try Self.expect(
            "the file has no entry for \(Self.app)",
            .appNotInFile,
            of: Self.links(#"{"appIDs":["ABCDE12345.com.example.juggler"],"components":[{}]}"#)
        )
    }

    @Test(arguments: [("\u{7F}", #"\u{7F}"#), ("\u{85}", #"\u{0085}"#), ("\u{202E}", #"\u{202E}"#)])
    func invisibleCharactersOfAnAppAreEscaped(_ character: String, escape: String) throws {
        let app = ApplicationIdentifier(rawValue: "\(Self.app)\(character)")
        let file = Self.links(#"{"appIDs":["\#(app)"],"components":[{"/":"/rings"}]}"#)
        let mismatch = try AssociationMatcher(json: file).decision(on: "https://clowntown.example/tents", for: app)
        #expect(mismatch.explanation == "the only rule for \(Self.app)\(escape) does not match")
        let otherFile = Self.links(#"{"appIDs":["ABCDE12345.com.example.juggler"],"components":[{}]}"#)
        let missing = try AssociationMatcher(json: otherFile).decision(on: "https://clowntown.example/tents", for: app)
        #expect(missing.explanation == "the file has no entry for \(Self.app)\(escape)")
    }

    @Test func fileWithoutLinksIsExplained() throws {
        try Self.expect("the file has no \"applinks\", so it says nothing about links", .noAppLinks, of: "{}")
    }

    @Test func invalidURLIsExplained() throws {
        try Self.expect("this is not a URL: it has no scheme, such as https", .notAURL, of: "{}", on: "tents")
    }

    @Test func nonWebSchemeIsExplained() throws {
        try Self.expect("the scheme clown is neither https nor http", .notWeb, of: "{}", on: "Clown://town")
        let long = String(repeating: "c", count: 1_000)
        try Self.expect("the scheme \(long.prefix(120))… is neither https nor http", .notWeb, of: "{}", on: long + ":")
    }

    @Test func tooLongURLIsExplained() throws {
        try Self.expect(
            "the URL has 20000 bytes; at most 16384 are read",
            .urlTooLong,
            of: "{}",
            on: String(repeating: "a", count: 20_000)
        )
    }

    @Test func urlOfAnotherDomainIsExplained() throws {
        try Self.expect(
            "the URL is of www.clowntown.example, but the file is of clowntown.example",
            .otherDomain,
            of: Clowntown.json(["{}"]),
            on: "https://WWW.clowntown.example/tents"
        )
    }

    @Test func rulesThatTakeTooMuchWorkAreExplained() throws {
        try Self.expect(
            "matching this URL against the rules takes more work than is allowed",
            .tooMuchWork,
            of: HostileFile.laborious,
            on: "https://clowntown.example/#" + String(repeating: "a", count: 16_000)
        )
    }

    @Test(arguments: [
        (#"{"applinks":{}}"#, LinkDecision.Reason.appNotInFile, "the file names no app"),
        (#"{}"#, .noAppLinks, "the file has no \"applinks\", so it says nothing about links"),
    ])
    func fileWithoutAppsHasOneDecisionWithoutAnApp(
        _ json: String,
        _ reason: LinkDecision.Reason,
        _ explanation: String
    ) throws {
        let url = "https://clowntown.example/tents"
        #expect(
            try AssociationMatcher(json: json).decisions(on: url) == [
                LinkDecision(url: url, matched: false, outcome: .noMatch, reason: reason, explanation: explanation)
            ]
        )
    }
}
