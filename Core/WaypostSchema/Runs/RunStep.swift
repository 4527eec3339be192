/// A step of a scenario, as its run reports it.
public struct RunStep: Codable, Sendable, Equatable {
    /// The state of a step.
    public enum State: String, StringEnum {
        /// The step began; its end is another event.
        case running

        /// Everything was as expected.
        case passed

        /// Something was not as expected.
        case failed

        /// An earlier step failed.
        case skipped

        /// The expectation was replaced by what happened.
        case updated
    }

    /// The step in words.
    public var text: String

    /// The state.
    public var state: State

    /// The result in a few words, or the problem if the step failed.
    public var message: String?

    /// The place of the step: file, line and column.
    public var place: String?

    /// The differences, if an expectation is not met.
    public var differences: [RunDifference]?

    /// The explanation of a failure, on several lines.
    public var explanation: String?

    /// Creates the value from its parts.
    public init(
        text: String,
        state: State,
        message: String? = nil,
        place: String? = nil,
        differences: [RunDifference]? = nil,
        explanation: String? = nil
    ) {
        self.text = text
        self.state = state
        self.message = message
        self.place = place
        self.differences = differences
        self.explanation = explanation
    }
}
