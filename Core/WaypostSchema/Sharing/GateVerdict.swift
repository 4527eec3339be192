/// The verdict of one gate.
public struct GateVerdict: Codable, Sendable, Equatable {
    /// The statuses of a gate.
    public enum Status: String, StringEnum {
        /// The link passes.
        case pass

        /// The link is stopped.
        case fail

        /// The gate was not evaluated, because an earlier one failed.
        case notReached = "not_reached"
    }

    /// The gate.
    public var gate: SurfacingGate

    /// The status.
    public var status: Status

    /// A human-readable reason.
    public var explanation: String

    /// The consent rule that decided; absent at gates that do not depend on the user's choices.
    public var rule: ConsentRule?

    /// The user's choice that decided; absent if there was none.
    public var record: ConsentRecord?

    /// Creates the value from its parts.
    public init(
        gate: SurfacingGate,
        status: Status,
        explanation: String,
        rule: ConsentRule? = nil,
        record: ConsentRecord? = nil
    ) {
        self.gate = gate
        self.status = status
        self.explanation = explanation
        self.rule = rule
        self.record = record
    }
}
