import Testing
import UniversalLinks
import WaypostSchema

/// Hostile files and URLs get an answer soon and never cause a crash.
@Suite struct HostileInputTests {
    /// A combining mark after the parenthesis forms one character with it.
    ///
    /// It is still a variable.
    @Test func variableNestedInItselfIsIgnored() throws {
        let text = #"""
            {"applinks":{"details":[{"appIDs":["A.b"],"components":[{"/":"/$(\u0301x)"}]}],
            "substitutionVariables":{"\u0301x":["$(\u0301x)"]}}}
            """#
        let matcher = try AssociationMatcher(json: text)
        #expect(matcher.decision(on: "https://a.example/x", for: "A.b").reason == .noRuleMatched)
        let findings = AssociationCheck.findings(in: Array(text.utf8)).filter { $0.severity == .error }
        #expect(findings.map(\.code) == [.nestedVariable])
    }

    /// Continuation bytes without a first byte do not bypass the work budget.
    @Test func strayContinuationBytesAreNotOneLongCharacter() throws {
        let rules = Array(repeating: #"{"/":"*?x"}"#, count: 200)
        let matcher = try AssociationMatcher(
            json: Clowntown.json(rules, otherMembers: #""defaults":{"percentEncoded":false},"#)
        )
        let path = "/" + String(repeating: "%80", count: 2_000)
        #expect(matcher.outcome(path) == .noMatch)
    }

    /// A character with thousands of combining marks is as long as all of them.
    @Test func findingsTruncateALongCharacter() throws {
        let name = "v" + String(repeating: "\u{301}", count: 20_000)
        let text = Clowntown.json(
            [#"{"/":"/$(x\#(name))"}"#],
            otherMembers: #""substitutionVariables":{"\#(name)":["a",1]},"#
        )
        let findings = AssociationCheck.findings(in: Array(text.utf8))
        #expect(findings.count == 3)
        #expect(findings.allSatisfy { $0.place.utf8.count < 1_000 && $0.message.utf8.count < 2_000 })
    }

    @Test func terminalControlCharactersAreEscaped() throws {
        let matcher = try Clowntown.matcher(#"{"/":"/\u001b[31m\u009b\n"}"#)
        let decision = matcher.decision(on: "https://clowntown.example/a", for: Clowntown.app, tracing: true)
        let trace = try #require(decision.trace?.first)
        let shown = [decision.explanation, trace.rule, trace.explanation].joined()
        #expect(!shown.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
    }

    /// Each app has a work budget of its own.
    ///
    /// Costly rules for one app do not reduce another's budget.
    @Test func costlyRulesOfOneAppDoNotAffectAnother() throws {
        let costly = #"{"/":"\#(String(repeating: "*$(lang)", count: 200))!"}"#
        let rules = Array(repeating: costly, count: 60).joined(separator: ",")
        let text = #"""
            {"applinks":{"details":[{"appIDs":["A.a"],"components":[\#(rules)]},
            {"appIDs":["A.b"],"components":[{"/":"/*"}]}]}}
            """#
        let matcher = try AssociationMatcher(json: text)
        let url = try LinkURL("https://clowntown.example/" + String(repeating: "enfrdeites", count: 800))
        #expect(matcher.matchAllApps(url).map(\.reason) == [.tooMuchWork, .matched])
        #expect(matcher.apps.map { matcher.match(url, for: $0).reason } == [.tooMuchWork, .matched])
    }

    private static let start = "https://clowntown.example/"

    /// Returns the longest URL that is accepted: `rest`, followed by as many copies of `piece` as fit.
    private static func longest(_ rest: String, _ piece: String) -> String {
        let room = LinkURL.maximumLength - start.utf8.count - rest.utf8.count
        return start + rest + String(repeating: piece, count: room / piece.utf8.count)
    }

    private static func decision(of json: String, on url: String) throws -> LinkDecision {
        try AssociationMatcher(json: json).decision(on: url, for: Clowntown.app)
    }

    // MARK: - Files

    @Test(arguments: [
        ("[", "]"), ("{\"applinks\":", "}"), ("{\"applinks\":{\"details\":[", "]}}"), ("[{\"a\":", "}]"),
        ("{\"applinks\":{\"details\":{\"a\":", "}}}"),
    ])
    func tooDeeplyNestedFileIsRefused(_ opening: String, _ closing: String) {
        let json = String(repeating: opening, count: 4_000) + "0" + String(repeating: closing, count: 4_000)
        let failure = #expect(throws: AssociationFailure.self) { try AssociationFile(json: json) }
        #expect(failure?.code == .notJSON)
        #expect(failure?.message.hasSuffix("arrays and objects are nested deeper than 128") == true)
    }

    /// The parser does not descend into a value of the wrong type.
    @Test(arguments: ["/", "?", "#", "exclude", "comment", "later"])
    func deepValueOfTheWrongTypeHasOneFinding(_ key: String) throws {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let file = try AssociationFile(json: Clowntown.json([#"{"\#(key)":\#(deep)}"#]))
        #expect(file.findings.count == 1)
    }

    @Test(arguments: [
        "7", "{\"/\":1}", "{\"?\":{\"a\":1}}", "{\"later\":1}", "{\"/\":\"\",\"/\":\"\"}",
    ])
    func fileFullOfInvalidRulesHasAFindingForEach(_ component: String) throws {
        let json = HostileFile.filled(with: component)
        let file = try AssociationFile(json: json)
        let count = (json.utf8.count - Clowntown.json([]).utf8.count + 1) / (component.utf8.count + 1)
        #expect(file.findings.count == count)
        #expect(count > 5_000)
    }

    @Test func everyDuplicateOfAKeyHasAFinding() throws {
        let members = Array(repeating: #""/":"x""#, count: 15_000).joined(separator: ",")
        let file = try AssociationFile(json: Clowntown.json(["{\(members)}"]))
        #expect(file.findings.count == 14_999)
        #expect(file.entries.first?.value.rules.count == 1)
    }

    @Test func fileOfOneRepeatedByteIsRefused() {
        for byte in UInt8.min...UInt8.max {
            #expect(throws: AssociationFailure.self) { try AssociationFile([byte]) }
            #expect(throws: AssociationFailure.self) { try AssociationFile(Array(repeating: byte, count: 1_000)) }
        }
    }

    @Test func truncatedFileIsRefused() {
        let bytes = Array(AssociationSetUp.file.utf8)
        for length in 0..<bytes.count {
            #expect(throws: AssociationFailure.self, "\(length) bytes") { try AssociationFile(Array(bytes[..<length])) }
        }
    }

    /// A file with any one byte changed is either parsed, with findings on its own lines, or refused as not JSON.
    @Test(arguments: [0x00, 0x20, 0x22, 0x2C, 0x30, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xC3, 0xFF] as [UInt8])
    func fileWithOneChangedByteIsParsedOrRefused(_ byte: UInt8) {
        let bytes = Array(AssociationSetUp.file.utf8)
        for index in bytes.indices {
            var changed = bytes
            changed[index] = byte
            do throws(AssociationFailure) {
                let file = try AssociationFile(changed)
                _ = AssociationMatcher(file).decisions(on: Self.start, tracing: true)
                #expect(file.findings.allSatisfy { (1...13).contains($0.line) })
            } catch {
                #expect(error.code == .notJSON)
            }
        }
    }

    // MARK: - Work

    @Test(arguments: ["*a", "*?", "*aa*", "$(word)", "$(wild)", "*$(digit)$(wild)"])
    func patternWithManyWildcardsStaysWithinTheBudget(_ piece: String) throws {
        let variables = #""substitutionVariables":{"word":["a","aa"],"wild":["*a","?*"]},"#
        for count in [10, 20, 40] {
            let pattern = String(repeating: piece, count: count) + "b"
            let json = Clowntown.json([##"{"#":"\##(pattern)"}"##], otherMembers: variables)
            let decision = try Self.decision(of: json, on: Self.start + "#" + String(repeating: "a", count: 1_000))
            #expect(decision.outcome == .noMatch)
            #expect(decision.reason == .noRuleMatched)
        }
    }

    @Test func rulesThatTakeTooMuchWorkAreAbandoned() throws {
        let decision = try Self.decision(of: HostileFile.laborious, on: Self.longest("#", "a"))
        #expect(decision.reason == .tooMuchWork)
        #expect(decision.outcome == .noMatch)
        #expect(decision.rule == nil)
    }

    @Test func rulesThatTakeTooMuchWorkAreAbandonedWhileTracing() throws {
        let matcher = try AssociationMatcher(json: HostileFile.laborious)
        let decision = matcher.decision(on: Self.longest("#", "a"), for: Clowntown.app, tracing: true)
        #expect(decision.reason == .tooMuchWork)
        #expect(decision.trace?.isEmpty == false)
        #expect(decision.trace?.contains { $0.matched } == false)
    }

    @Test func matchBeforeTheCostlyRulesIsFound() throws {
        let json = HostileFile.laborious.replacing("\"components\":[", with: "\"components\":[{\"/\":\"/tents*\"},")
        #expect(try Self.decision(of: json, on: Self.longest("tents#", "a")).reason == .matched)
    }

    @Test func ruleWithManyItemsMatchesAQueryWithManyItems() throws {
        let names = (0..<500).map { #""n\#($0)":"*""# }.joined(separator: ",")
        let decision = try Self.decision(of: Clowntown.json(["{\"?\":{\(names)}}"]), on: Self.longest("?", "a&"))
        #expect(decision.reason == .matched)
    }

    @Test func everyItemOfALongQueryIsCompared() throws {
        let json = Clowntown.json([#"{"?":{"a":"1"}}"#])
        #expect(try Self.decision(of: json, on: Self.longest("?", "a=1&")).reason == .matched)
        #expect(try Self.decision(of: json, on: Self.longest("?a=2&", "a=1&")).reason == .noRuleMatched)
        #expect(try Self.decision(of: json, on: Self.longest("?", "&")).reason == .noRuleMatched)
    }

    @Test func fileFullOfRulesIsEvaluated() throws {
        let json = HostileFile.filled(with: #"{"/":"/x"}"#)
        let matcher = try AssociationMatcher(json: json)
        #expect(matcher.outcome("/x") == .match)
        let decision = matcher.decision(on: Self.start + "y", for: Clowntown.app)
        #expect(decision.reason == .noRuleMatched)
        #expect(decision.explanation.hasPrefix("none of the 11"))
    }

    @Test func variableWithManyValuesIsEvaluated() throws {
        let values = (0..<12_000).map { "\"v\($0)\"" }.joined(separator: ",")
        let matcher = try AssociationMatcher(
            json: Clowntown.json(
                [#"{"/":"/$(many)/$(many)"}"#],
                otherMembers: "\"substitutionVariables\":{\"many\":[\(values)]},"
            )
        )
        #expect(matcher.outcome("/v0/v11999") == .match)
        #expect(matcher.outcome("/v0/v12000") == .noMatch)
    }

    // MARK: - URLs

    @Test(arguments: ["a", "/", "é", "%41", "%", "?", "#", "&", "=", " ", "\u{1F921}", "*", "$("])
    func longestURLIsEvaluated(_ piece: String) throws {
        let matcher = try Clowntown.matcher(
            #"{"/":"/never"}"#,
            #"{"/":"/*","?":{"a":"never"},"percentEncoded":false,"caseSensitive":false}"#,
            "{}"
        )
        for rest in ["", "?", "#"] {
            let decision = matcher.decision(on: Self.longest(rest, piece), for: Clowntown.app, tracing: true)
            #expect(decision.outcome == .match)
            #expect(decision.trace?.count == 3)
        }
    }

    @Test func longHostIsParsed() throws {
        let host = String(repeating: "a.", count: 4_000) + "example"
        #expect(try LinkURL("https://\(host)/").host == host)
    }
}
