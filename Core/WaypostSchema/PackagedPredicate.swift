/// A predicate as it travels between processes: its canonical format, and how to read it.
public struct PackagedPredicate: Codable, Sendable, Equatable {
    /// The version that this code writes.
    public static let currentVersion = 1

    /// How the rest is to be read; 1.
    public var version: Int

    /// The predicate's format, which whoever unpacks it checks again.
    public var format: String

    /// Creates the value from its parts.
    public init(version: Int = Self.currentVersion, format: String) {
        self.version = version
        self.format = format
    }
}
