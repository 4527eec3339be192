import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// Rules that never decide because earlier rules cover them.
@Suite struct ReachabilityCheckTests {
    private static let redundant = "warning unreachable [1]"
    private static let contradicted = "error unreachable [1]"

    @Test(arguments: [
        CheckedFile(#"{"/":"*"}"#, #"{"/":"/clowns/*"}"#, says: redundant),
        CheckedFile(#"{"comment":"all"}"#, #"{"/":"/clowns/*","exclude":true}"#, says: contradicted),
        CheckedFile(#"{"/":"/*"}"#, #"{"/":"/clowns/*","caseSensitive":false,"exclude":true}"#, says: contradicted),
        CheckedFile(#"{"/":"/*"}"#, #"{"?":{"new":"1"},"exclude":true}"#, says: contradicted),
        CheckedFile(#"{"/":"/clowns/*"}"#, #"{"/":"/clowns"}"#, says: redundant),
        CheckedFile(#"{"/":"/clowns/*"}"#, #"{"/":"/clowns/?*"}"#, says: redundant),
        CheckedFile(#"{"/":"/acts/?"}"#, #"{"/":"/acts/1"}"#, says: redundant),
        CheckedFile(
            #"{"/":"/Clowns/*","caseSensitive":false}"#,
            #"{"/":"/clowns","caseSensitive":false}"#,
            says: redundant
        ),
        CheckedFile(#"{"/":"/clowns/*"}"#, #"{"/":"/clowns/*","?":{"ref":"7"}}"#, says: redundant),
        CheckedFile(#"{"?":{"ref":"?*"}}"#, #"{"?":{"ref":"7","new":"1"}}"#, says: redundant),
        CheckedFile(#"{"?":"ref=*"}"#, #"{"?":"ref=7"}"#, says: redundant),
        CheckedFile(#"{"/":"/$(lang)/*"}"#, #"{"/":"/$(lang)/menu"}"#, says: redundant),
        CheckedFile(#"{"/":"/clowns"}"#, #"{"/":"/clowns/"}"#, says: "note trailingSlashTwin [1]"),
    ])
    func ruleCoveredByAnEarlierOneIsReported(_ file: CheckedFile) {
        file.check()
    }

    @Test(arguments: [
        CheckedFile(#"{"/":"/clowns"}"#, #"{"/":"/clowns/*"}"#),
        CheckedFile(#"{"/":"/clowns/?*"}"#, #"{"/":"/clowns/*"}"#),
        CheckedFile(#"{"/":"/acts/?"}"#, #"{"/":"/acts/12"}"#),
        CheckedFile(#"{"/":"/clowns/*"}"#, #"{"/":"/Clowns/*"}"#),
        CheckedFile(#"{"/":"/clowns"}"#, #"{"/":"/clowns","caseSensitive":false}"#),
        CheckedFile(##"{"/":"/clowns/*","#":"top"}"##, #"{"/":"/clowns/*"}"#),
        CheckedFile(#"{"?":"ref=7"}"#, #"{"?":{"ref":"7"}}"#),
        CheckedFile(#"{"?":{"ref":"7"}}"#, #"{"?":{"new":"7"}}"#),
        CheckedFile(#"{"/":"/$(lang)/menu"}"#, #"{"/":"/en/menu"}"#),
        CheckedFile(#"{"/":"/?"}"#, #"{"/":"/$(lang)"}"#),
        CheckedFile(#"{"/":"/secret/*","exclude":true}"#, #"{"/":"/*"}"#),
    ])
    func reachableRuleIsNotReported(_ file: CheckedFile) {
        file.check()
    }

    @Test func ruleIsUnreachableOnlyIfItIsForAllItsApps() {
        let entry = { (apps: String, rule: String) in #"{"appIDs":[\#(apps)],"components":[\#(rule)]}"# }
        let (clown, mime) = (#""ABCDE12345.com.example.clown""#, #""ABCDE12345.com.example.mime""#)
        let file = { (entries: String...) in #"{"applinks":{"details":[\#(entries.joined(separator: ","))]}}"# }
        let everything = #"{"/":"/*"}"#
        CheckedFile(
            json: file(entry(clown, everything), entry("\(clown),\(mime)", #"{"/":"/acts"}"#)),
            says: "note repeatedApp details[1].appIDs[0]"
        ).check()
        CheckedFile(
            json: file(entry("\(clown),\(mime)", everything), entry(clown, #"{"/":"/acts"}"#)),
            says: "note repeatedApp details[1].appIDs[0]",
            "warning unreachable details[1].components[0]"
        ).check()
    }

    @Test func ruleThatChangesNoDecisionIsRedundant() {
        let (clown, mime) = (#""ABCDE12345.com.example.clown""#, #""ABCDE12345.com.example.mime""#)
        let entries = [
            #"{"appIDs":[\#(clown)],"components":[{"exclude":true}]}"#,
            #"{"appIDs":[\#(mime)],"components":[{}]}"#,
            #"{"appIDs":[\#(clown),\#(mime)],"components":[{"/":"/r"}]}"#,
        ]
        CheckedFile(
            json: #"{"applinks":{"details":[\#(entries.joined(separator: ","))]}}"#,
            says: "note repeatedApp details[2].appIDs[0]",
            "note repeatedApp details[2].appIDs[1]",
            "warning unreachable details[2].components[0]"
        ).check()
    }

    @Test func exclusionWithoutALaterRuleIsUseless() {
        CheckedFile(#"{"/":"/secret/*","exclude":true}"#, says: "warning uselessExclude [0]").check()
        let exclusion = #"{"/":"/secret/*","exclude":true}"#
        CheckedFile(#"{"/":"/clowns/*"}"#, exclusion, says: "warning uselessExclude [1]").check()
        CheckedFile(exclusion, #"{"/":"/clowns/*"}"#).check()
    }

    @Test(arguments: [
        (#"{"/":"/clowns/*"}"#, #"{"/":"*/secret","exclude":true}"#, true),
        (#"{"/":"/clowns/*"}"#, #"{"/":"/acts/*/secret","exclude":true}"#, false),
        (#"{"/":"/clowns/?"}"#, #"{"/":"/clowns/12","exclude":true}"#, false),
        (#"{"/":"/$(food)/*"}"#, #"{"/":"/pie/secret","exclude":true}"#, true),
        (#"{"?":{"ref":"7"}}"#, #"{"?":{"ref":"8"},"exclude":true}"#, false),
        (#"{"?":{"ref":"7"}}"#, #"{"?":{"new":"8"},"exclude":true}"#, true),
        (##"{"/":"/clowns","#":"top"}"##, ##"{"/":"/*","#":"end","exclude":true}"##, false),
    ])
    func lateExclusionIsToBeMovedIfItOverlapsAnOfferAndDeletedOtherwise(
        _ offer: String,
        _ exclusion: String,
        overlaps: Bool
    ) {
        let findings = AssociationCheck.findings(in: Array(Clowntown.json([offer, exclusion]).utf8))
        let advice = overlaps ? "; move it before applinks.details[0].components[0]" : "; delete it"
        #expect(findings.first { $0.code == .uselessExclude }?.message.hasSuffix(advice) == true)
    }

    @Test func exclusionThatAnOptionalItemMakesUnreachableIsAnsweredWithTheRequiredItem() {
        let offer = #"{"/":"/buy","?":{"id":"*"}}"#
        let advice = { (later: String) in
            let findings = AssociationCheck.findings(in: Array(Clowntown.json([offer, later]).utf8))
            return findings.first { $0.code == .unreachable }?.message.split(separator: "; ").last
        }
        #expect(
            advice(#"{"/":"/buy","exclude":true}"#)
                == #"write "?*" for its query item "id", which may be missing with "*""#
        )
        #expect(advice(#"{"/":"/buy","?":{"id":"7"},"exclude":true}"#) == "move it before that rule")
    }

    /// A rule that is reported as unreachable never decides.
    @Test(arguments: 0..<200)
    func unreachableRuleNeverDecides(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let parts = ["/", "/a", "/a/", "a", "b", "*", "?", "$(digit)", "/*", "1"]
        let pattern = { (generator: inout SeededGenerator) in
            "/"
                + (0..<Int.random(in: 0...3, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? ""
                }.joined()
        }
        let rules = (0..<6).map { _ in
            #"{"/":"\#(pattern(&generator))","caseSensitive":\#(Bool.random(using: &generator))}"#
        }
        let text = Clowntown.json(rules)
        let unreachable = AssociationCheck.findings(in: Array(text.utf8))
            .filter { [.unreachable, .trailingSlashVariant].contains($0.code) }.map(\.place)
        let matcher = try AssociationMatcher(json: text)
        let letters = ["/", "a", "A", "b", "1", "//", "/a"]
        for _ in 0..<200 {
            let path = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                letters.randomElement(using: &generator) ?? ""
            }
            let decision = matcher.decision(on: "https://clowntown.example/" + path.joined(), for: Clowntown.app)
            #expect(!unreachable.contains(decision.place ?? ""), "\(path.joined()) and \(text)")
        }
    }
}
