import SchemaFiles
import Testing
import WaypostSchema

@testable import Scenarios

/// The text about the steps of a scenario.
@Suite struct ScenarioReportTests {
    private static let place = SourcePlace(file: "a.yaml", line: 1, column: 1)

    @Test func passedStepSaysWhatItExpected() {
        var step = Step(place: Self.place)
        step.expectedValues = [
            "device": .string("iPad"), "scene": .string("overview"), "shelf": .array([]),
            "menu": .array([.array([.string("Play"), .string("Next")]), .array([.string("Reply")])]),
            "sender": .object(["requests": .integer(2), "connections": .integer(1)]), "offered": .bool(true),
        ]
        var result = StepResult(number: 1, text: "open x on iPad", place: Self.place, outcome: .passed, elapsed: 0)
        result.summary = "overview, prefers"
        result.expected = step.expectedTexts
        #expect(
            ScenarioReport.text(result) == """
                  ✓ open x on iPad: overview, prefers
                      menu: Play, Next | Reply
                      offered: true
                      sender: connections 1, requests 2
                      shelf: none
                """
        )
    }
}
