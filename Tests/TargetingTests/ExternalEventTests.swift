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

    @Test func textsOfASessionAreTheSameConditions() throws {
        let written = ActivationConditions(preferring: ["b", "a"], allowing: [])
        let compiled = try CompiledConditions(written)
        let expected = CompiledConditions.handlesExternalEvents(preferring: ["a", "b"], allowing: [])
        #expect(compiled.can == expected.can)
        #expect(compiled.prefers == expected.prefers)
    }

    /// Only the condition with texts changes; the other one keeps its default.
    @Test func oneConditionCanHaveTexts() throws {
        let compiled = try CompiledConditions(ActivationConditions(prefers: "SELF == 'a'", allowing: ["/orders/"]))
        #expect(compiled.can.description == #"SELF CONTAINS[cd] "/orders/""#)
        #expect(compiled.prefers.description == #"SELF == "a""#)
    }

    @Test(
        arguments: [
            (ActivationConditions(can: "SELF == 'a'", allowing: ["a"]), .can, "'allowing'"),
            (ActivationConditions(prefers: "SELF == 'a'", preferring: []), .prefers, "'preferring'"),
        ] as [(ActivationConditions, ConditionError.Condition, String)]
    )
    func conditionInBothFormsIsRefused(
        _ conditions: ActivationConditions,
        condition: ConditionError.Condition,
        name: String
    ) throws {
        let error = try #require(throws: ConditionError.self) { try CompiledConditions(conditions) }
        #expect(error.condition == condition)
        #expect(error.predicateError.code == .forbidden)
        #expect(error.predicateError.message.hasPrefix(name))
    }

    @Test func textsThatAreTooLongAreRefused() throws {
        let conditions = ActivationConditions(allowing: [String(repeating: "a", count: 100_001)])
        #expect(throws: ConditionError.self) { try CompiledConditions(conditions) }
    }

    @Test func traceHasTheConditionsAsTheyAreWritten() throws {
        let session = SceneSession(
            persistentIdentifier: "orders",
            activationConditions: ActivationConditions(allowing: ["/orders/"])
        )
        let decision = SceneSelection.decide(for: "shop/orders/7", among: [try SceneCandidate(session)])
        let trace = try #require(decision.trace(of: "orders"))
        #expect(trace.can?.written == #"allowing: ["/orders/"]"#)
        #expect(trace.can?.result == true)
        #expect(trace.prefers?.written == nil)
        #expect(decision.text.contains(#"can: true: allowing: ["/orders/"]: "#))
    }

    @Test func traceHasNoTextOfAConditionThatWasReplaced() throws {
        let session = SceneSession(
            persistentIdentifier: "orders",
            activationConditions: ActivationConditions(preferring: ["/orders/"], allowing: ["/orders/"])
        )
        var scene = try SceneCandidate(session)
        scene.conditions.can = ContentPredicate(value: true)
        let trace = SceneSelection.decide(for: "shop/orders/7", among: [scene]).trace(of: "orders")
        #expect(trace?.can?.result == true)
        #expect(trace?.can?.written == nil)
        #expect(trace?.prefers?.written == #"preferring: ["/orders/"]"#)
        scene.conditions.prefers = ContentPredicate(value: false)
        let nextTrace = SceneSelection.decide(for: "shop/orders/7", among: [scene]).trace(of: "orders")
        #expect(nextTrace?.prefers?.result == false)
        #expect(nextTrace?.prefers?.written == nil)
    }
}
