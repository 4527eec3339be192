import PredicateFormat
import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// Row 10 of targeting.md 1.2: an unusable condition is refused when it is set.
@Suite struct ConditionErrorTests {
    struct Case: CustomTestStringConvertible {
        var can = "TRUEPREDICATE"
        var prefers = "FALSEPREDICATE"
        var condition: ConditionError.Condition
        var code: ContentPredicateError.Code
        var offset: Int
        var testDescription: String { "\(can), \(prefers)" }
    }

    private static let cases = [
        Case(can: "SELF BEGINWITH 'a'", condition: .can, code: .syntax, offset: 5),
        Case(can: "", condition: .can, code: .syntax, offset: 0),
        Case(can: "length == 5", condition: .can, code: .forbidden, offset: 0),
        Case(prefers: "SELF MATCHES '.*'", condition: .prefers, code: .forbidden, offset: 5),
        Case(prefers: "SELF == 'a' AND", condition: .prefers, code: .syntax, offset: 15),
        Case(prefers: "SELF LIKE[l] 'a*'", condition: .prefers, code: .forbidden, offset: 10),
        Case(can: "NOT", prefers: "OR", condition: .can, code: .syntax, offset: 3),
    ]

    @Test(arguments: cases)
    func errorNamesTheConditionAndThePlace(_ example: Case) throws {
        let conditions = ActivationConditions(can: example.can, prefers: example.prefers)
        let error = try #require(throws: ConditionError.self) { try CompiledConditions(conditions) }
        #expect(error.condition == example.condition)
        #expect(error.predicateError.code == example.code)
        #expect(error.predicateError.offset == example.offset)
        #expect(
            error.description
                == "\(example.condition.rawValue), offset \(example.offset): \(error.predicateError.message)"
        )
    }

    @Test(arguments: cases)
    func sessionWithAnUnusableConditionIsNotACandidate(_ example: Case) throws {
        let conditions = ActivationConditions(can: example.can, prefers: example.prefers)
        let session = SceneSession(persistentIdentifier: "A", activationConditions: conditions)
        let error = try #require(throws: ConditionError.self) { try SceneCandidate(session) }
        #expect(error.condition == example.condition)
    }

    @Test(.proves("T48"), arguments: cases)
    func sceneKeepsItsConditionsIfNewOnesAreRefused(_ example: Case) throws {
        var scene = try SceneCandidate.named("A", can: "SELF == 'a'", prefers: "SELF == 'b'")
        let before = scene
        #expect(throws: ConditionError.self) {
            try scene.setConditions(ActivationConditions(can: example.can, prefers: example.prefers))
        }
        #expect(scene == before)
    }

    @Test func conditionThatCannotBeEvaluatedCanBeSet() throws {
        var scene = try SceneCandidate.named("A")
        try scene.setConditions(ActivationConditions(prefers: "SELF > 5"))
        #expect(scene.conditions.prefers.description == "SELF > 5")
    }

    @Test(.proves("T14")) func conditionsHaveTheNamesOfThePlatform() {
        #expect(ConditionError.Condition.can.rawValue == "canActivateForTargetContentIdentifierPredicate")
        #expect(ConditionError.Condition.prefers.rawValue == "prefersToActivateForTargetContentIdentifierPredicate")
    }

    @Test func sessionWithoutConditionsHasTheDefaults() throws {
        let compiled = try CompiledConditions(ActivationConditions())
        #expect(compiled == CompiledConditions())
        #expect(compiled.can == ContentPredicate(value: true))
        #expect(compiled.prefers == ContentPredicate(value: false))
    }

    @Test(.proves("T10", "T13")) func candidateHasThePropertiesOfTheSession() throws {
        let session = SceneSession(
            persistentIdentifier: "A",
            title: "Crusty",
            state: .foregroundInactive,
            lastActivated: Timestamp(milliseconds: 7),
            activationConditions: ActivationConditions(can: "SELF == 'a'", prefers: "SELF == 'b'")
        )
        let expected = try SceneCandidate.named(
            "A",
            .foregroundInactive,
            at: 7,
            can: "SELF == 'a'",
            prefers: "SELF == 'b'"
        )
        #expect(try SceneCandidate(session).title == "Crusty")
        var untitled = try SceneCandidate(session)
        untitled.title = nil
        #expect(untitled == expected)
    }
}
