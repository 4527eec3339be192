/// The runs that reported to a gateway, in a namespace.
public struct ReportedRunList: Codable, Sendable, Equatable {
    /// The runs, the latest first.
    public var runs: [ReportedRun]

    /// Creates the value from its parts.
    public init(runs: [ReportedRun]) {
        self.runs = runs
    }
}
