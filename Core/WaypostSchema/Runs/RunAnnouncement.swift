/// The announcement of a run.
public struct RunAnnouncement: Codable, Sendable, Equatable {
    /// The kind of run.
    public var kind: RunKind

    /// The name, such as that of a file.
    public var name: String

    /// Creates the value from its parts.
    public init(kind: RunKind, name: String) {
        self.kind = kind
        self.name = name
    }
}
