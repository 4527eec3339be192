/// A problem of a payload, or something unusual in it.
public struct PayloadFinding: Codable, Sendable, Equatable {
    /// The line, from 1.
    public var line: Int

    /// The column in bytes, from 1.
    public var column: Int

    /// The severity.
    public var severity: FindingSeverity

    /// The kind of finding, as in the gateway's answers, or the reason of APNs for a refusal.
    public var code: String

    /// The finding, for people.
    public var message: String

    /// Creates the value from its parts.
    public init(line: Int, column: Int, severity: FindingSeverity, code: String, message: String) {
        self.line = line
        self.column = column
        self.severity = severity
        self.code = code
        self.message = message
    }
}
