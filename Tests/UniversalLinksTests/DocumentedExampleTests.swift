import Testing
import UniversalLinks
import WaypostSchema

/// The example in a doc comment, which `ArchitectureTests` compares with this.
@Suite struct DocumentedExampleTests {
    @Test func linkIsMatched() throws {
        // Example of Core/UniversalLinks/Matching/AssociationMatcher+decision.swift
        let json = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[{"/":"/clowns/*"}]}]}}"#
        let matcher = AssociationMatcher(try AssociationFile(json: json))
        let decision = matcher.decision(on: "https://clowntown.example/clowns/crusty", for: "ABCDE12345.a")
        // End of the example
        #expect(decision.matched)
    }
}
