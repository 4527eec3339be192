/// A predicate for transport between processes: its canonical format, and the version of the encoding.
public struct PackagedPredicate: Codable, Sendable, Equatable {
    /// The version that this code writes.
    public static let currentVersion = 1

    /// The version of the encoding; 1.
    public var version: Int

    /// The predicate's format; the receiver validates it again.
    public var format: String

    /// Creates the value from its parts.
    public init(version: Int = Self.currentVersion, format: String) {
        self.version = version
        self.format = format
    }
}
