/// The user's choices about sharing: what is off, and what is shared automatically.
public struct SharingSettings: Codable, Sendable, Equatable {
    /// The scopes for which sharing is off: everywhere, then apps, then conversations.
    public var off: [SharingScope]

    /// The apps for which automatic sharing is on.
    public var automatic: [BundleIdentifier]

    /// Creates the value from its parts.
    public init(off: [SharingScope] = [], automatic: [BundleIdentifier] = []) {
        self.off = off
        self.automatic = automatic
    }
}
