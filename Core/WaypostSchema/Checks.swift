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

/// A problem of a payload, or something unusual in it.
public struct PayloadFinding: Codable, Sendable, Equatable {
    /// The consequences of a finding.
    public enum Severity: String, StringChoice {
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

/// A question about an association file.
public struct AssociationQuestion: Codable, Sendable, Equatable {
    /// The content of the file.
    public var file: String

    /// The URLs to look up; none to check the file only.
    public var urls: [String]?

    /// Creates the value from its parts.
    public init(file: String, urls: [String]? = nil) {
        self.file = file
        self.urls = urls
    }
}

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
