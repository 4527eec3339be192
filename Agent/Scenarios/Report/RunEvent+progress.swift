internal import SchemaFiles
package import WaypostSchema

extension RunEvent {
    /// Creates the event for the progress of scenarios; `nil` if a gateway need not know of it.
    package init?(_ progress: ScenarioRunner.Progress) {
        switch progress {
        case .scenarioStarted(let name): self = .scenario(name)
        case .stepStarted(let text): self = .step(RunStep(text: text, state: .running))
        case .stepEnded(let result): self = .step(RunStep(result))
        case .scenarioEnded(let result):
            guard let failure = result.failure else { return nil }
            let texts = ["\(result.name): \(failure.message)", failure.explanation].compactMap(\.self)
            self = .note(texts.joined(separator: "\n"))
        }
    }
}

extension RunStep {
    init(_ result: StepResult) {
        let state: State =
            switch result.outcome {
            case .passed: .passed
            case .failed: .failed
            case .skipped: .skipped
            case .updated: .updated
            }
        self.init(text: result.text, state: state, message: result.failure?.message ?? result.summary)
        place = result.place.description
        explanation = result.failure?.explanation
        differences = result.failure?.differences.map {
            RunDifference(field: $0.field, expected: $0.expected, actual: $0.actual)
        }
    }
}
