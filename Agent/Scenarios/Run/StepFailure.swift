internal import WaypostSchema

/// The reason why a step failed.
package struct StepFailure: Error, Sendable, Equatable {
    /// A difference between the expected value of a field and the actual one.
    package struct Difference: Sendable, Equatable, Encodable {
        /// The field of the expectation.
        package var field: String

        /// The expected value.
        package var expected: String

        /// The actual value.
        package var actual: String

        /// The actual values that `--update` writes, if the expectation can be updated.
        var replacement: [String]?

        private enum CodingKeys: CodingKey {
            case field, expected, actual
        }
    }

    /// The problem, in one sentence.
    package var message: String

    /// The differences, if an expectation is not met.
    package var differences: [Difference]

    /// The explanation of the decision, on several lines.
    package var explanation: String?

    /// The reason why an event changed nothing, if that is the problem.
    var ignoredReason: IgnoredEvent.Reason?

    init(
        _ message: String,
        _ differences: [Difference] = [],
        explanation: String? = nil,
        ignoredReason: IgnoredEvent.Reason? = nil
    ) {
        self.message = message
        self.differences = differences
        self.explanation = explanation
        self.ignoredReason = ignoredReason
    }

    /// Creates the failure for an error; the lines after its first one are the explanation.
    init(_ error: any Error) {
        let lines = DecodingError.sentence(of: error).split(separator: "\n", maxSplits: 1).map(String.init)
        self.init(lines.first ?? "", explanation: lines.count > 1 ? lines.last : nil)
    }

    static let externalGateway = Self("the gateway was given, so no step can kill or restart it")

    static let externalAgent = Self("the agent that performs the steps cannot kill or restart itself")
}

extension StepFailure: CustomStringConvertible {
    /// The problem, in one sentence.
    package var description: String {
        message
    }
}
