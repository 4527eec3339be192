/// The answer to a question about an association file.
public struct AssociationAnswer: Codable, Sendable, Equatable {
    /// The reason for which devices cannot use the file; absent if they can.
    public var failure: AssociationFailure?

    /// The findings about the file, in the order of their places.
    public var findings: [AssociationFinding]

    /// For each URL and each app of the file, whether the app may be offered the URL, with every rule that was tried.
    public var decisions: [LinkDecision]

    /// Creates the value from its parts.
    public init(
        failure: AssociationFailure? = nil,
        findings: [AssociationFinding],
        decisions: [LinkDecision] = []
    ) {
        self.failure = failure
        self.findings = findings
        self.decisions = decisions
    }
}
