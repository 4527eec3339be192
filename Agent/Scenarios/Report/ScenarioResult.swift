package import SchemaFiles
internal import WaypostSchema

/// The result of a step.
package struct StepResult: Sendable {
    /// The outcome of a step.
    package enum Outcome: String, Sendable, Encodable {
        case passed
        case failed

        /// An earlier step failed.
        case skipped

        /// The expectation was replaced by what happened.
        case updated
    }

    /// The number of the step, from 1.
    package var number: Int

    /// The step in words.
    package var text: String

    /// The place of the step.
    package var place: SourcePlace

    /// The outcome.
    package var outcome: Outcome

    /// The virtual time after the step, in milliseconds since the start.
    package var elapsed: Int

    /// The result in a few words.
    var summary: String?

    /// The values that the step expected, if it passed.
    var expected: [ExpectedValue] = []

    /// A probable mistake in the step, or a difference from APNs.
    var warning: String?

    /// The answer of the action.
    var answer: JSONValue?

    /// The failure, if the step failed.
    package var failure: StepFailure?
}

/// The result of a run of a scenario.
package struct ScenarioResult: Sendable {
    /// The name of the scenario.
    package var name: String

    /// The file of the scenario.
    package var file: String

    /// The steps.
    package var steps: [StepResult]

    /// The failure that belongs to no step, such as that of a start.
    package var failure: StepFailure?

    /// The folder with the logs, journals and pictures of a failure.
    package var artifacts: String?

    /// The changes that `--update` makes.
    var edits: [SourceEdit] = []

    /// The time at which the virtual clock started.
    var start: Timestamp

    /// The duration by a real clock.
    package var duration: Duration

    /// Whether everything was as expected.
    package var isPassed: Bool {
        failure == nil && !steps.contains { $0.outcome == .failed }
    }
}
