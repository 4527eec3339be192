import Testing
import UniversalLinks
import WaypostSchema

/// The exact explanation of why each rule matches or does not, and the closest rule.
@Suite struct LinkTraceTests {
    struct Case: CustomTestStringConvertible {
        var rule: String
        var url: String
        var explanation: String
        var testDescription: String { "\(rule) on \(url)" }

        init(_ rule: String, _ url: String, _ explanation: String) {
            (self.rule, self.url, self.explanation) = (rule, url, explanation)
        }
    }

    private static let variables = #""substitutionVariables":{"snack":["popcorn"]},"#

    private static func trace(_ rules: [String], _ rest: String) throws -> [LinkRuleTrace] {
        let matcher = try AssociationMatcher(json: Clowntown.json(rules, otherMembers: variables))
        let url = "https://clowntown.example" + rest
        return try #require(matcher.decision(on: url, for: Clowntown.app, tracing: true).trace)
    }

    @Test(arguments: [
        Case(#"{"/":"/tents"}"#, "/tents", "it matches"),
        Case(#"{"/":"/tents","exclude":true}"#, "/tents", "it matches, and excludes the URL"),
        Case(#"{"/":"/tents"}"#, "/rings", "the path '/rings' does not match '/tents'"),
        Case(#"{"/":"/tents"}"#, "", "the path '/' does not match '/tents'"),
        Case(
            #"{"/":"/tents"}"#,
            "/Tents",
            "the path '/Tents' does not match '/tents', because the case of letters differs"
        ),
        Case(#"{"/":"/tents","caseSensitive":false}"#, "/rings", "the path '/rings' does not match '/tents'"),
        Case(#"{"/":"/a b"}"#, "/a b", "the path '/a%20b' does not match '/a b'"),
        Case(
            #"{"/":"/a%20b","percentEncoded":false}"#,
            "/a%20b",
            "the path '/a b', with its escapes decoded, does not match '/a%20b'"
        ),
        Case(#"{"?":"a=1"}"#, "/?a=2", "the query 'a=2' does not match 'a=1'"),
        Case(#"{"?":"a=1"}"#, "/", "the query is empty and does not match 'a=1'"),
        Case(#"{"?":"A=1"}"#, "/?a=1", "the query 'a=1' does not match 'A=1', because the case of letters differs"),
        Case(#"{"?":{"a":"1","b":"2"}}"#, "/?a=1&b=3", "the query item b '3' does not match '2'"),
        Case(
            #"{"?":{"a":"?*"}}"#,
            "/?b=1",
            "the query item a is missing, which counts as empty, and does not match '?*'"
        ),
        Case(
            #"{"?":{"a":"1"}}"#,
            "/?a=1&a=2&a",
            "the query item a '1', '2', '' does not match '1'; all of them must match"
        ),
        Case(#"{"?":{"a":"x=y"}}"#, "/?a=x=z", "the query item a 'x=z' does not match 'x=y'"),
        Case(##"{"#":"row"}"##, "/#seat", "the fragment 'seat' does not match 'row'"),
        Case(##"{"#":"row"}"##, "/", "the fragment is empty and does not match 'row'"),
        Case(
            #"{"/":"/$(drink)"}"#,
            "/popcorn",
            "'/$(drink)' has the variable $(drink), which is not defined"
        ),
        Case(#"{"/":"/$(snack"}"#, "/popcorn", "'/$(snack' has a $( without a closing )"),
        Case(#"{"/":"/$(snack)"}"#, "/fish", "the path '/fish' does not match '/$(snack)'"),
        Case(
            ##"{"?":{"a":"$(drink)"},"#":"x"}"##,
            "/",
            "'$(drink)' has the variable $(drink), which is not defined"
        ),
        Case(##"{"/":"/b","?":"c","#":"d"}"##, "/a", "the path '/a' does not match '/b'"),
    ])
    func traceExplainsTheResultOfARule(_ example: Case) throws {
        #expect(try Self.trace([example.rule], example.url).map(\.explanation) == [example.explanation])
    }

    /// The explanation shows what the rule compared.
    ///
    /// An item found under another spelling is not absent.
    @Test(arguments: [
        Case(#"{"?":{"id":"7"},"caseSensitive":false}"#, "/?ID=8", "the query item id '8' does not match '7'"),
        Case(
            #"{"?":{"é":"7"},"percentEncoded":false}"#,
            "/?%C3%A9=8",
            "the query item é '8', with its escapes decoded, does not match '7'"
        ),
    ])
    func itemWithAnotherSpellingIsNotReportedAsEmpty(_ example: Case) throws {
        #expect(try Self.trace([example.rule], example.url).map(\.explanation) == [example.explanation])
    }

    @Test func explanationTruncatesLongTexts() throws {
        let (path, pattern) = (String(repeating: "a", count: 9_000), String(repeating: "b", count: 9_000))
        #expect(
            try Self.trace([#"{"/":"\#(pattern)"}"#], "/" + path).map(\.explanation) == [
                "the path '/\(path.prefix(119))…' does not match '\(pattern.prefix(120))…'"
            ]
        )
    }

    @Test func traceEndsWithTheDecidingRule() throws {
        let trace = try Self.trace([#"{"/":"/a"}"#, #"{"/":"/b","exclude":true}"#, #"{"/":"/b"}"#], "/b")
        #expect(
            trace == [
                LinkRuleTrace(
                    rule: #"{"/":"/a"}"#,
                    place: "applinks.details[0].components[0]",
                    line: 1,
                    matched: false,
                    explanation: "the path '/b' does not match '/a'"
                ),
                LinkRuleTrace(
                    rule: #"{"/":"/b","exclude":true}"#,
                    place: "applinks.details[0].components[1]",
                    line: 1,
                    matched: true,
                    explanation: "it matches, and excludes the URL"
                ),
            ]
        )
    }

    @Test func traceShowsARuleAsWrittenAndAppliesItsDefaults() throws {
        let json = #"""
            {"applinks": {"defaults": {"/": "/tents", "caseSensitive": false}, "details": [
              {"appIDs": ["\#(Clowntown.app)"], "defaults": {"#": "row"}, "components": [{"?": "*"}]}
            ]}}
            """#
        let decision = try AssociationMatcher(json: json)
            .decision(on: "https://clowntown.example/TENTS", for: Clowntown.app, tracing: true)
        #expect(decision.trace?.map(\.rule) == [#"{"?":"*"}"#])
        #expect(
            decision.trace?.map(\.explanation) == ["the fragment is empty and does not match 'row' of the defaults"]
        )
        #expect(decision.trace?.map(\.line) == [2])
    }

    // MARK: - The closest rule

    private static func nearest(_ rules: [String], _ rest: String) throws -> String {
        let matcher = try AssociationMatcher(json: Clowntown.json(rules))
        let url = "https://clowntown.example" + rest
        return matcher.decision(on: url, for: Clowntown.app, tracing: true).explanation
    }

    @Test func onlyRuleIsTheClosest() throws {
        #expect(
            try Self.nearest([#"{"/":"/tents"}"#], "/rings")
                == "the only rule for \(Clowntown.app) does not match; the closest rule is applinks.details[0].components[0]: "
                + "the path '/rings' does not match '/tents'"
        )
    }

    @Test func ruleWithTheMostMatchingPartsIsTheClosest() throws {
        let rules = [
            #"{"/":"/rings"}"#, ##"{"/":"/tents","?":"a=1","#":"row"}"##, #"{"/":"/tents","?":"a=2"}"#, #"{"/":"/x"}"#,
        ]
        #expect(
            try Self.nearest(rules, "/tents?a=1")
                == "none of the 4 rules for \(Clowntown.app) matches; the closest rule is applinks.details[0].components[1]: "
                + "the fragment is empty and does not match 'row'"
        )
    }

    @Test func firstOfEquallyCloseRulesIsNamed() throws {
        #expect(
            try Self.nearest([#"{"/":"/a"}"#, #"{"/":"/b"}"#, #"{"/":"/c"}"#], "/d").hasSuffix(
                "; the closest rule is applinks.details[0].components[0]: the path '/d' does not match '/a'"
            )
        )
    }

    @Test func decisionOfARuleNamesNoClosestRule() throws {
        #expect(try !Self.nearest([#"{"/":"/a"}"#, #"{"/":"/b"}"#], "/b").contains("closest"))
        #expect(try !Self.nearest([#"{"/":"/a"}"#, #"{"exclude":true}"#], "/b").contains("closest"))
    }

    @Test func exclusionIsNotTheClosest() throws {
        let text = try Self.nearest([##"{"/":"/d","#":"x","exclude":true}"##, #"{"/":"/b"}"#], "/d")
        #expect(
            text.hasSuffix("; the closest rule is applinks.details[0].components[1]: the path '/d' does not match '/b'")
        )
    }
}
