import PredicateFormat
import Targeting
import Testing
import WaypostSchema

/// The conditions that correspond to SwiftUI's `handlesExternalEvents(preferring:allowing:)` (targeting.md 1.3).
@Suite struct ExternalEventTests {
    struct Case: CustomTestStringConvertible {
        var preferring: Set<String> = []
        var allowing: Set<String> = []
        var identifier: TargetContentIdentifier
        var suitability: Int
        var testDescription: String { "\(preferring), \(allowing), \(identifier)" }
    }

    @Test(arguments: [
        Case(identifier: "photo", suitability: 0),
        Case(allowing: ["photo"], identifier: "app://photo/7", suitability: 1),
        Case(preferring: ["photo"], allowing: ["photo"], identifier: "app://photo/7", suitability: 2),
        Case(allowing: ["PHÖTO"], identifier: "app://photo/7", suitability: 1),
        Case(allowing: ["photo"], identifier: "app://phót", suitability: 0),
        Case(allowing: ["*"], identifier: "anything", suitability: 1),
        Case(preferring: ["*"], identifier: "anything", suitability: 2),
        Case(allowing: ["*", "photo"], identifier: "anything", suitability: 1),
        Case(allowing: ["a*"], identifier: "abc", suitability: 0),
        Case(allowing: ["a*"], identifier: "1 a* 2", suitability: 1),
        Case(allowing: [""], identifier: "anything", suitability: 0),
        Case(allowing: ["", "b"], identifier: "abc", suitability: 1),
    ])
    func identifierIsSearchedForTheStringsOfASetIgnoringCaseAndMarks(_ example: Case) throws {
        let scene = SceneCandidate(
            identifier: "scene",
            state: .background,
            conditions: .handlesExternalEvents(preferring: example.preferring, allowing: example.allowing)
        )
        let trace = SceneSelection.decide(for: example.identifier, among: [scene]).trace(of: "scene")
        #expect(trace?.suitability == example.suitability)
    }

    @Test func setsHaveACanonicalForm() {
        let conditions = CompiledConditions.handlesExternalEvents(preferring: ["b", "a"], allowing: [])
        #expect(conditions.prefers.description == #"SELF CONTAINS[cd] "a" OR SELF CONTAINS[cd] "b""#)
        #expect(conditions.can.description == "FALSEPREDICATE")
    }
}
