import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The replacements that findings suggest.
@Suite struct ReplacementTests {
    /// A broken file, and the outcomes that its author meant.
    struct Case: CustomTestStringConvertible {
        /// The code of a finding that must have a replacement.
        var code: AssociationFinding.Code
        var json: String

        /// URLs from their paths on, and their outcomes for the test app in the corrected file.
        var outcomes: [String: LinkDecision.Outcome]

        init(_ code: AssociationFinding.Code, json: String, means outcomes: [String: LinkDecision.Outcome]) {
            (self.code, self.json, self.outcomes) = (code, json, outcomes)
        }

        /// Creates a case of a file whose only entry has `components`.
        init(
            _ code: AssociationFinding.Code,
            _ components: String...,
            otherMembers: String = "",
            means outcomes: [String: LinkDecision.Outcome]
        ) {
            self.init(code, json: Clowntown.json(components, otherMembers: otherMembers), means: outcomes)
        }

        /// Creates a case of a file whose only entry has `paths`.
        init(_ code: AssociationFinding.Code, paths: String, means outcomes: [String: LinkDecision.Outcome]) {
            let entry = #"{"appID":"\#(Clowntown.app)","paths":[\#(paths)]}"#
            self.init(code, json: #"{"applinks":{"apps":[],"details":[\#(entry)]}}"#, means: outcomes)
        }

        /// Creates a case of a file with these members of its only entry.
        init(_ code: AssociationFinding.Code, entry: String, means outcomes: [String: LinkDecision.Outcome]) {
            self.init(code, json: #"{"applinks":{"apps":[],"details":[{\#(entry)}]}}"#, means: outcomes)
        }

        /// Creates a case of a file whose only identifier is `app`.
        init(app: String, _ code: AssociationFinding.Code = .badAppID) {
            self.init(code, entry: #""appIDs":["\#(app)"],"components":[{"/":"/x"}]"#, means: ["/x": .match])
        }

        var testDescription: String { json }
    }

    private static let app = #""\#(Clowntown.app)""#

    private static let identifiers: [Case] = [
        Case(app: " ABCDE12345.com.example.clowntown"), Case(app: "ABCDE12345.com.example.clowntown "),
        Case(app: "ABCDE12345.com.example.clowntown\\t"), Case(app: "ABCDE12345 .com.example.clowntown"),
        Case(app: "ABCDE12345.com.example.clowntown\\u200b"), Case(app: "ABCDE12345..com.example.clowntown"),
        Case(app: "ABCDE12345.com.example.clowntown."), Case(app: "ABCDE12345+com.example.clowntown"),
        Case(app: "ABCDE12345_com.example.clowntown"),
        Case(app: "abcde12345.com.example.clowntown", .placeholderTeamID),
        Case(
            .badAppID,
            json: #"{"applinks":{"apps":[],"details":{"ABCDE12345.com.example.clowntown ":{"paths":["/x"]}}}}"#,
            means: ["/x": .match]
        ),
    ]

    private static let keys: [Case] = [
        Case(.unknownKey, #"{"path":"/x"}"#, means: ["/x": .match, "/y": .noMatch]),
        Case(.unknownKey, entry: #""appId":\#(app),"components":[{"/":"/x"}]"#, means: ["/x": .match]),
        Case(.unknownKey, entry: #""appId":[\#(app)],"components":[{"/":"/x"}]"#, means: ["/x": .match]),
        Case(.unknownKey, entry: #""appids":[\#(app)],"components":[{"/":"/x"}]"#, means: ["/x": .match]),
        Case(.unknownKey, entry: #""AppIDs" : [\#(app)],"components":[{"/":"/x"}]"#, means: ["/x": .match]),
        Case(.unknownKey, entry: #""AppIDs":\#(app),"components":[{"/":"/x"}]"#, means: ["/x": .match]),
        Case(.unknownKey, entry: #""appIDs":[\#(app)],"component":[{"/":"/x"}]"#, means: ["/x": .match]),
        Case(.unknownKey, entry: #""appID":\#(app),"path":["/x"]"#, means: ["/x": .match]),
        Case(
            .unknownKey,
            json: #"{"appLinks":{"details":[{"appIDs":[\#(app)],"components":[{"/":"/x"}]}]}}"#,
            means: ["/x": .match]
        ),
        Case(
            .unknownKey,
            json: #"{"applinks":{"detail":[{"appIDs":[\#(app)],"components":[{"/":"/x"}]}]}}"#,
            means: ["/x": .match]
        ),
        Case(.unknownKey, #"{"/":"/x/*","Exclude":true}"#, #"{"/":"/*"}"#, means: ["/x/1": .exclude, "/y": .match]),
        Case(.unknownKey, #"{"/":"/X","casesensitive":false}"#, means: ["/x": .match]),
    ]

    private static let types: [Case] = [
        Case(.wrongType, entry: #""appIDs":\#(app),"components":[{"/":"/x"}]"#, means: ["/x": .match]),
        Case(.wrongType, entry: #""appID":[\#(app)],"components":[{"/":"/x"}]"#, means: ["/x": .match]),
        Case(
            .wrongType,
            entry: #""appIDs":[\#(app)],"components":{"/":"/x","?":{"a":"1"}}"#,
            means: ["/x?a=1": .match]
        ),
        Case(.wrongType, entry: #""appIDs":[\#(app)],"components":"/x""#, means: ["/x": .match]),
        Case(.wrongType, entry: #""appID":\#(app),"paths":"/x""#, means: ["/x": .match]),
        Case(.wrongType, paths: #"{"/":"/x/*","exclude":true},"/*""#, means: ["/x/1": .exclude, "/y": .match]),
        Case(.wrongType, #""NOT /x/*""#, #"{"/":"/*"}"#, means: ["/x/1": .exclude, "/y": .match]),
        Case(.wrongType, #"{"/":["/x"]}"#, means: ["/x": .match]),
        Case(.wrongType, ##"{"#":7}"##, means: ["/x#7": .match, "/x#8": .noMatch]),
        Case(.wrongType, #"{"?":["a=1"]}"#, means: ["/x?a=1": .match]),
        Case(.wrongType, #"{"/":"/x","exclude":"true"}"#, #"{"/":"/*"}"#, means: ["/x": .exclude, "/y": .match]),
        Case(.wrongType, #"{"/":"/x","exclude": 1 }"#, #"{"/":"/*"}"#, means: ["/x": .exclude, "/y": .match]),
        Case(.wrongType, #"{"/":"/X","caseSensitive":"False"}"#, means: ["/x": .match]),
        Case(.wrongType, #"{"/":"/x"}"#, otherMembers: #""apps":{},"#, means: ["/x": .match]),
        Case(
            .wrongType,
            #"{"/":"/$(food)"}"#,
            otherMembers: #""substitutionVariables":{"food":"pie"},"#,
            means: ["/pie": .match]
        ),
        Case(
            .wrongType,
            #"{"/":"/$(year)"}"#,
            otherMembers: #""substitutionVariables":{"year":[1919]},"#,
            means: ["/1919": .match]
        ),
        Case(
            .wrongType,
            json: #"{"webcredentials":[\#(app)],"appclips":\#(app),"applinks":{"details":[]}}"#,
            means: ["/x": .noMatch]
        ),
        Case(.appsNotEmpty, #"{"/":"/x"}"#, otherMembers: #""apps":[\#(app)],"#, means: ["/x": .match]),
        Case(.nonStringQueryItem, #"{"?":{"a":7}}"#, means: ["/?a=7": .match, "/?a=8": .noMatch]),
    ]

    private static let paths: [Case] = [
        Case(.noLeadingSlash, #"{"/":"x/*"}"#, means: ["/x/1": .match]),
        Case(.noLeadingSlash, #"{"/":" /x y ","percentEncoded":false}"#, means: ["/x%20y": .match]),
        Case(.noLeadingSlash, paths: #""NOT x/*","/*""#, means: ["/x/1": .exclude, "/y": .match]),
        Case(.urlInPath, #"{"/":"https://clowntown.example/x/*"}"#, means: ["/x/1": .match]),
        Case(.urlInPath, #"{"/":"https://*.clowntown.example"}"#, means: ["/": .match]),
        Case(
            .urlInPath,
            ##"{"/":" https://clowntown.example/x y?a=1#b"}"##,
            means: ["/x%20y?a=1#b": .match, "/x%20y": .noMatch]
        ),
        Case(.urlInPath, paths: #""NOT https://clowntown.example/x","/*""#, means: ["/x": .exclude, "/y": .match]),
        Case(.fragmentInPath, ##"{"/":"/#/x/*","exclude":false}"##, means: ["/#/x/1": .match, "/x/1": .noMatch]),
        Case(.fragmentInPath, ##"{"/":"/x?a=1&b=*#c"}"##, means: ["/x?b=2&a=1#c": .match, "/x?a=1#c": .noMatch]),
        Case(.queryInPath, #"{"/":"/x?a=*"}"#, means: ["/x?a=1&z=2": .match, "/x": .noMatch, "/xya=1": .noMatch]),
        Case(.misspelledNot, paths: #""not /x","/*""#, means: ["/x": .exclude, "/y": .match]),
        Case(.misspelledNot, paths: #"" NOT /x y ","/*""#, means: ["/x%20y": .exclude, "/y": .match]),
        Case(.misspelledNot, paths: #""Not: *.html","/*""#, means: ["/x.html": .exclude, "/y": .match]),
        Case(.misspelledNot, paths: #""NOT  *.html","/*""#, means: ["/x.html": .exclude, "/y": .match]),
    ]

    private static let patterns: [Case] = [
        Case(.doubleStar, ##"{"/":"/x/**","#":"**"}"##, means: ["/x/1": .match]),
        Case(.unencodedCharacter, #"{"/":"/café/*"}"#, means: ["/café/1": .match, "/caf%C3%A9/1": .match]),
        Case(.unencodedCharacter, #"{"/":"/x "}"#, means: ["/x": .match]),
        Case(.unencodedCharacter, #"{"?":{" naïve ":" a b "}}"#, means: ["/?na%C3%AFve=a%20b": .match]),
        Case(
            .unencodedCharacter,
            #"{"/":"/$(food)"}"#,
            otherMembers: #""substitutionVariables":{"food":[" crème* "]},"#,
            means: ["/crème-brûlée": .match]
        ),
        Case(
            .unencodedCharacter,
            #"{"?":{"a":"1"}}"#,
            otherMembers: ##""defaults":{"#":"ü"},"##,
            means: ["/?a=1#ü": .match]
        ),
        Case(.lowercaseEscape, #"{"/":"/caf%c3%a9"}"#, means: ["/caf%C3%A9": .match]),
        Case(
            .lowercaseEscape,
            #"{"/":"/$(food)"}"#,
            otherMembers: #""substitutionVariables":{"food":["cr%c3%a8me"]},"#,
            means: ["/crème": .match]
        ),
        Case(
            .escapeInDecodedPattern,
            #"{"/":"/caf%C3%A9%20*","percentEncoded":false}"#,
            means: ["/café%20au%20lait": .match]
        ),
        Case(
            .escapeInDecodedPattern,
            #"{"/":"/$(food)","percentEncoded":false}"#,
            otherMembers: #""substitutionVariables":{"food":["a%20b"]},"#,
            means: ["/a%20b": .match]
        ),
        Case(
            .undefinedVariable,
            ##"{"/":"/$(Digit)/*","#":"$(digits)"}"##,
            means: ["/7/x#8": .match, "/a/x#8": .noMatch]
        ),
        Case(.unterminatedVariable, #"{"/":"/$(digit/*"}"#, means: ["/7/x": .match, "/a/x": .noMatch]),
        Case(
            .badVariableName,
            #"{"/":"/$(food)"}"#,
            otherMembers: #""substitutionVariables":{"$(food)":["pie"]},"#,
            means: ["/pie": .match]
        ),
    ]

    private static let cases = identifiers + keys + types + paths + patterns

    @Test(arguments: cases)
    func replacementRemovesItsFindingAndCausesNoError(_ example: Case) throws {
        let findings = CorrectedFile.findings(in: example.json).filter { $0.instead != nil }
        #expect(findings.contains { $0.code == example.code }, "\(CorrectedFile.findings(in: example.json))")
        for finding in findings { try CorrectedFile.expectCorrection(of: finding, in: example.json) }
    }

    @Test(arguments: cases)
    func correctedFileDoesWhatItsAuthorMeant(_ example: Case) throws {
        let text = CorrectedFile.correctingAll(in: example.json)
        let remaining = CorrectedFile.findings(in: text).filter { $0.severity == .error || $0.instead != nil }
        #expect(remaining.isEmpty, "\(text)")
        let matcher = try AssociationMatcher(json: text)
        for (url, outcome) in example.outcomes.sorted(by: { $0.key < $1.key }) {
            #expect(matcher.outcome(url) == outcome, "\(url) and \(text)")
        }
    }

    @Test(arguments: try AssociationFileVector.all())
    func replacementInAWholeFileRemovesItsFindingAndCausesNoError(_ example: AssociationFileVector) throws {
        let text = String(decoding: try example.bytes(), as: UTF8.self)
        for finding in CorrectedFile.findings(in: text) where finding.instead != nil {
            try CorrectedFile.expectCorrection(of: finding, in: text)
        }
    }

    /// Odd patterns, several in a file; a corrected rule may cover a later one.
    @Test(arguments: 0..<200)
    func replacementInARandomFileRemovesItsFinding(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var rules = (0..<12).map { _ in LinkRule.random(using: &generator) }
        let secondHalf = rules.partition { $0.form == .component }
        let (pathRules, components) = (rules[..<secondHalf], rules[secondHalf...])
        let entries = [("paths", pathRules), ("components", components)].map { key, rules in
            #"{"appID":\#(Self.app),"\#(key)":[\#(rules.map(\.description).joined(separator: ","))]}"#
        }
        let text = #"{"applinks":{"apps":[],"details":[\#(entries.joined(separator: ","))]}}"#
        for finding in CorrectedFile.findings(in: text) where finding.instead != nil {
            try CorrectedFile.expectCorrection(of: finding, in: text, revealing: [.unreachable])
        }
    }

    @Test(arguments: [
        #"{"/":"/{id}"}"#, #"{"/":"/[0-9]+"}"#, #"{"/":"^/x$"}"#, #"{"/":"/${lang}/x"}"#, #"{"/":"NOT /x"}"#,
        #"{"/":"!/x"}"#,
        ##"{"#":"#top"}"##,
    ])
    func patternOfAnotherLanguageHasNoReplacement(_ component: String) {
        let findings = CorrectedFile.findings(in: Clowntown.json([component]))
        #expect(!findings.isEmpty)
        #expect(findings.allSatisfy { $0.instead == nil }, "\(findings)")
    }

    @Test func everyCodeThatCanHaveAReplacementHasACase() throws {
        let texts = try AssociationFileVector.all().map { String(decoding: try $0.bytes(), as: UTF8.self) }
        let findings = (texts + Self.cases.map(\.json)).flatMap(CorrectedFile.findings)
        let codes = Set(findings.filter { $0.instead != nil }.map(\.code))
        #expect(codes == Set(Self.cases.map(\.code)))
        #expect(Self.cases.count >= 40)
    }

    @Test func identifierThatReplacesAMisspelledOneIsThatOfTheApp() throws {
        let text = Clowntown.json([#"{"/":"/x"}"#]).replacing("ABCDE12345.com", with: "com")
        let finding = try #require(
            AssociationCheck.findings(in: Array(text.utf8), for: Clowntown.app).first { $0.code == .appNotInFile }
        )
        let corrected = try #require(CorrectedFile(text, finding))
        #expect(AssociationCheck.findings(in: Array(corrected.text.utf8), for: Clowntown.app).isEmpty)
        #expect(try AssociationMatcher(json: corrected.text).outcome("/x") == .match)
    }
}
