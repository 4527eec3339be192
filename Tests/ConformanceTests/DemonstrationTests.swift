import Foundation
import Testing
import WaypostTestSupport

/// A user can try every sentence, or the page says why not.
///
/// `ScenarioTests` and `ConformanceCommandTests` run the commands.
@Suite struct DemonstrationTests {
    private let sentences: [Sentence]

    init() throws {
        sentences = try Conformance.project.get().sentences
    }

    @Test func everySentenceHasEitherACommandOrAReason() {
        for sentence in sentences {
            let demonstration = sentence.demonstration
            #expect((demonstration.command == nil) != (demonstration.reason == nil), "\(sentence.number)")
            #expect(demonstration.reason?.hasSuffix(".") != false, "\(sentence.number)")
        }
    }

    @Test func scenarioHasAStepAndAnyOtherCommandAnOutput() {
        for sentence in sentences {
            let demonstration = sentence.demonstration
            let isScenario = demonstration.scenario != nil
            let isOtherCommand = demonstration.command != nil && !isScenario
            #expect((demonstration.step != nil) == isScenario, "\(sentence.number)")
            #expect((demonstration.output?.isEmpty == false) == isOtherCommand, "\(sentence.number)")
            #expect(demonstration.status == nil || isOtherCommand, "\(sentence.number)")
        }
    }

    /// A shell runs the command as it is on the page, and nothing else.
    @Test func commandIsOneCommandOfWaypost() {
        for sentence in sentences {
            let demonstration = sentence.demonstration
            guard let command = demonstration.command else { continue }
            let isPlain = !command.contains { "`;&|<>$\\\n".contains($0) }
            #expect(command.hasPrefix("waypost ") && isPlain, "\(command)")
            let text = (demonstration.step ?? "") + (demonstration.output ?? "")
            let isInline = !text.contains { "`\n".contains($0) }
            #expect(isInline, "\(sentence.number)")
        }
    }

    /// `ScenarioTests` runs every scenario in `docs/examples`, so a scenario there has passed.
    @Test func stepIsInOneStepOfAnExample() throws {
        for sentence in sentences {
            let demonstration = sentence.demonstration
            guard let scenario = demonstration.scenario, let text = demonstration.step else { continue }
            let isExample = scenario.wholeMatch(of: /docs\/examples\/[\w-]+\.yaml/) != nil
            #expect(isExample, "\(sentence.number)")
            let lines = try Repository.lines(of: Repository.root.appending(path: scenario))
            let count = ScenarioText.steps(in: lines).filter { $0.contains(text) }.count
            #expect(count == 1, "\(sentence.number): '\(text)' is in \(count) steps of \(scenario)")
        }
    }

    @Test func stepHasItsLinesAndTheCommentBeforeIt() {
        let lines = ["# A", "name: B", "steps:", "  # C", "  - d: e", "    expect: f", "  - g: h"]
        #expect(ScenarioText.steps(in: lines) == ["  # C\n  - d: e\n    expect: f", "  - g: h"])
    }
}
