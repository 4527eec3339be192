/// A problem of a payload, or something unusual in it.
public struct PayloadFinding: Codable, Sendable, Equatable {
    /// The consequences of a finding.
    public enum Severity: String, StringEnum {
        /// APNs refuses the payload.
        case error

        /// APNs accepts the payload, but devices ignore a part of it.
        case warning
    }

    /// The line, from 1.
    public var line: Int

    /// The column in bytes, from 1.
    public var column: Int

    /// The consequences.
    public var severity: Severity

    /// The kind of finding, as in the gateway's answers, or the reason of APNs for an error.
    public var code: String

    /// The finding, for people.
    public var message: String

    /// Creates the value from its parts.
    public init(line: Int, column: Int, severity: Severity, code: String, message: String) {
        self.line = line
        self.column = column
        self.severity = severity
        self.code = code
        self.message = message
    }
}
