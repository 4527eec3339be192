/// A finding about an accepted item of a batch.
public struct ItemFinding: Codable, Sendable, Equatable {
    /// The item's index in the batch, from 0.
    public var index: Int

    /// The line at which the item starts, from 1.
    public var line: Int

    /// The kind of finding.
    public var code: NotificationFinding.Code

    /// The severity.
    public var severity: FindingSeverity

    /// A human-readable description, which says what is usual.
    public var message: String

    /// Creates the value from its parts.
    public init(index: Int, line: Int, _ finding: NotificationFinding) {
        self.index = index
        self.line = line
        code = finding.code
        severity = finding.severity
        message = finding.message
    }
}
