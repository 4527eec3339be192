import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The printed form of a rule, and the rule parsed from it.
@Suite struct LinkRuleTextTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func ruleSurvivesPrintingAndParsing(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let rule = LinkRule.random(using: &generator)
            let again = try LinkRule(rule.description)
            #expect(again == rule, "seed \(seed): \(rule)")
            #expect(again.description == rule.description, "seed \(seed)")
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func rulesOfAFileAreParsedUnchanged(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let rules = (0..<20).map { _ in LinkRule.randomComponent(using: &generator) }
            let file = try AssociationFile(json: Clowntown.json(rules.map(\.description)))
            #expect(file.entries.flatMap { $0.value.rules.map(\.value) } == rules, "seed \(seed)")
            #expect(file.findings.isEmpty, "seed \(seed): \(file.findings)")
        }
    }

    @Test func keysArePrintedInAFixedOrder() throws {
        let text = ##"""
            { "comment": "é\n", "percentEncoded": false, "caseSensitive": true, "exclude": false, "#": "f",
              "?": { "b": "1", "a": "\"" }, "/": "\/p" }
            """##
        let printed =
            ##"{"/":"/p","?":{"b":"1","a":"\""},"#":"f","exclude":false,"caseSensitive":true,"##
            + ##""percentEncoded":false,"comment":"é\n"}"##
        #expect(try LinkRule(text).description == printed)
    }

    @Test(arguments: [
        ("{}", "{}"), ("{\"?\":{}}", "{\"?\":{}}"), ("{ \"?\" : \"a=1\" }", "{\"?\":\"a=1\"}"),
        ("\"/a\"", "\"/a\""), (" \"NOT /a\" ", "\"NOT /a\""), ("\"NOT \"", "\"NOT \""), ("\"\"", "\"\""),
        ("{\"later\":1,\"/\":\"a\"}", "{\"/\":\"a\"}"),
    ])
    func ruleIsPrintedAsCompactJSON(_ text: String, _ printed: String) throws {
        #expect(try LinkRule(text).description == printed)
    }

    @Test func excludedPathIsParsedWithoutItsNot() throws {
        let rule = try LinkRule("\"NOT /a\"")
        #expect(rule.isExclusion)
        #expect(rule.path == "/a")
        #expect(rule.form == .path)
    }

    @Test(arguments: [
        ("", AssociationFinding.Code.notJSON, "", 1), ("/a", .notJSON, "", 1), ("{\"/\": }", .notJSON, "", 7),
        ("[]", .wrongType, "", 1), ("7", .wrongType, "", 1), ("{\"/\":7}", .wrongType, "[\"/\"]", 6),
        ("{\"exclude\":\"yes\"}", .wrongType, "exclude", 12),
        ("{\"?\":{\"a\":\"1\",\"b\":true}}", .nonStringQueryItem, "[\"?\"].b", 19), ("-----BEGIN", .signed, "", 1),
    ])
    func invalidRuleIsRefused(_ text: String, _ code: AssociationFinding.Code, _ place: String, _ column: Int) {
        let finding = #expect(throws: AssociationFinding.self) { try LinkRule(text) }
        #expect(finding?.code == code)
        #expect(finding?.place == place)
        #expect(finding?.column == column)
        #expect(finding?.severity == .error)
    }

    @Test func firstOfSeveralErrorsIsReported() {
        let finding = #expect(throws: AssociationFinding.self) { try LinkRule("{\"/\":1,\"exclude\":2}") }
        #expect(finding?.place == "[\"/\"]")
    }
}
