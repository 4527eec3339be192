import PredicateFormat
import Targeting
import Testing
import WaypostSchema

/// The examples in doc comments, which `ArchitectureTests` compares with these.
@Suite struct DocumentedExampleTests {
    @Test func sceneIsSelected() throws {
        // Example of Core/Targeting/SceneSelection.swift
        let crusty = SceneSession(
            persistentIdentifier: "crusty",
            activationConditions: ActivationConditions(prefers: "SELF ENDSWITH '/crusty'")
        )
        let overview = SceneSession(persistentIdentifier: "overview")
        let candidates = try [overview, crusty].map { try SceneCandidate($0) }
        let decision = SceneSelection.select(for: .notification("clowns/crusty"), among: candidates)
        // End of the example
        #expect(decision.scene == "crusty")
    }

    @Test func predicateIsEvaluated() throws {
        // Example of Core/PredicateFormat/ContentPredicate.swift
        let predicate = try ContentPredicate(format: "SELF BEGINSWITH %@", "clowns/")
        let isClown = try predicate.evaluate(with: "clowns/crusty")
        // End of the example
        #expect(isClown)
    }
}
