import Targeting
import Testing
import WaypostSchema

/// Row 9 of targeting.md 1.2: a condition whose evaluation fails is false as a whole.
@Suite struct EvaluationErrorTests {
    private static let faulty = ["SELF > 5", "NOT SELF > 5", "SELF IN 5 OR TRUEPREDICATE", "NOT (SELF LIKE 'a\\\\')"]

    @Test(arguments: faulty)
    func canIsFalseIfItsEvaluationFails(_ format: String) throws {
        let decision = SceneSelection.decide(for: "crusty", among: [try .named("A", can: format)])
        #expect(decision.outcome == .create)
        let can = try #require(decision.trace(of: "A")?.can)
        #expect(!can.result)
        #expect(can.error?.code == .evaluation)
    }

    @Test(arguments: faulty)
    func prefersIsFalseIfItsEvaluationFails(_ format: String) throws {
        let decision = SceneSelection.decide(for: "crusty", among: [try .named("A", prefers: format)])
        #expect(decision.reason == .can)
        #expect(decision.trace(of: "A")?.prefers?.error?.code == .evaluation)
    }

    @Test func errorInAnUnevaluatedPartIsIgnored() throws {
        let scene = try SceneCandidate.named("A", prefers: "SELF == 'crusty' OR SELF > 5")
        let decision = SceneSelection.decide(for: "crusty", among: [scene])
        #expect(decision.reason == .prefers)
        #expect(decision.findings.isEmpty)
    }

    @Test func errorIsAFindingThatNamesSceneConditionAndReason() throws {
        let decision = SceneSelection.decide(for: "crusty", among: [try .named("A", prefers: "NOT SELF > 5")])
        let finding = try #require(decision.findings.first)
        #expect(finding.hasPrefix("A: prefersToActivateForTargetContentIdentifierPredicate counts as false"))
        #expect(finding.contains("as operands of >"))
        #expect(decision.findings.count == 1)
    }

    @Test func failedPartDecides() throws {
        let scene = try SceneCandidate.named("A", can: "SELF == 'bubbles' OR NOT SELF > 5")
        let decision = SceneSelection.decide(for: "crusty", among: [scene])
        #expect(decision.trace(of: "A")?.can?.deciding?.predicate == "SELF > 5")
    }
}
