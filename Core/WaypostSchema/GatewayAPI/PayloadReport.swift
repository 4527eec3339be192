/// A report on a payload: its size, and what APNs and devices make of it.
public struct PayloadReport: Codable, Sendable, Equatable {
    /// The size in bytes, without spaces between the parts.
    public var size: Int

    /// The maximum size for the push type.
    public var limit: Int

    /// The findings, in the order of their places.
    public var findings: [PayloadFinding]

    /// The reason for which the gateway refuses the payload by default; absent if it accepts it.
    public var reason: RejectionReason?

    /// Creates the value from its parts.
    public init(size: Int, limit: Int, findings: [PayloadFinding], reason: RejectionReason? = nil) {
        self.size = size
        self.limit = limit
        self.findings = findings
        self.reason = reason
    }
}
