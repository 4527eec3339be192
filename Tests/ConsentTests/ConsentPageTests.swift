import Consent
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// Checks `docs/consent.md` against the code.
@Suite struct ConsentPageTests {
    private let lines: [String]

    init() throws {
        lines = try Repository.lines(of: Repository.root.appending(path: "docs/consent.md"))
    }

    @Test func numbersOfTheHeuristicAreDocumented() {
        let rules = OfferRules()
        let numbers = rows { $0.dropFirst().first.map { $0.allSatisfy(\.isNumber) } ?? false }
        let expected = [
            ["`pinsForFirstOffer`", "\(rules.pinsForFirstOffer)"],
            ["`pinsForLaterOffer`", "\(rules.pinsForLaterOffer)"],
            ["`windowInDays`", "\(rules.windowInDays)"],
            ["`quietInDays`", "\(rules.quietInDays)"],
            ["`refusalsUntilSilence`", "\(rules.refusalsUntilSilence)"],
        ]
        #expect(numbers.map { Array($0.prefix(2)) } == expected)
    }

    @Test func everyReasonOfAnOfferHasARow() {
        let reasons = rows { ["yes", "no"].contains($0.dropFirst().first) }.compactMap(\.first)
        #expect(Set(reasons) == Set(OfferDecision.Reason.allCases.map { "`\($0.rawValue)`" }))
        #expect(reasons.count == OfferDecision.Reason.allCases.count)
    }

    @Test(arguments: ConsentRule.allCases)
    func everyRuleOfAVerdictIsDocumented(_ rule: ConsentRule) {
        #expect(lines.contains { $0.contains("`\(rule.rawValue)`") })
    }

    @Test func everyExampleIsAnEvent() throws {
        let examples = lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("{") }
        #expect(examples.count == 10)
        for example in examples {
            let event = try JSONDecoder().decode(DeviceEvent.self, from: Data(example.utf8))
            let again = try JSONDecoder().decode(DeviceEvent.self, from: JSONEncoder().encode(event))
            #expect(event == again, "\(example)")
        }
    }

    @Test func documentedExplanationIsThatOfTheCode() {
        let consent = ConsentChoices {
            $0.setSharing(.app(tv), isOn: false, at: .choice(1))
            $0.pin(show, in: family, message: "m1", at: .choice(2))
        }
        let clauses = consent.verdicts(on: .showFromFamily).all.map { "    \($0.explanation)" }
        #expect(Array(lines.suffix(clauses.count)) == clauses)
    }

    /// Returns the cells of the table rows for which `isWanted` is true.
    private func rows(_ isWanted: ([String]) -> Bool) -> [[String]] {
        lines.filter { $0.hasPrefix("|") }
            .map { $0.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter(isWanted)
    }
}
