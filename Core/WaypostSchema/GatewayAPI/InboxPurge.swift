/// The response to a purge of an inbox.
public struct InboxPurge: Codable, Sendable, Equatable {
    /// The number of notifications that were removed.
    public var removed: Int

    /// Creates the value from its parts.
    public init(removed: Int) {
        self.removed = removed
    }
}
