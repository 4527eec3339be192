/// A report on a payload: its size, and what APNs and devices make of it.
public struct PayloadReport: Codable, Sendable, Equatable {
    /// The size in bytes, without spaces between the parts.
    public var size: Int

    /// The maximum size for the push type.
    public var limit: Int

    /// The findings, in the order of their places.
    public var findings: [PayloadFinding]

    /// Creates the value from its parts.
    public init(size: Int, limit: Int, findings: [PayloadFinding]) {
        self.size = size
        self.limit = limit
        self.findings = findings
    }
}
