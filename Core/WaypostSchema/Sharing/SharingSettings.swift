/// The user's choices about sharing: what is off, what is shared automatically, and what is offered.
public struct SharingSettings: Codable, Sendable, Equatable {
    /// The scopes for which sharing is off: everywhere, then apps, then conversations.
    public var off: [SharingScope]

    /// The apps for which automatic sharing is on.
    public var automatic: [BundleIdentifier]

    /// Whether automatic sharing is offered now, for each app that takes part in Shared with You; absent for none.
    public var offers: [OfferDecision]?

    /// Creates the value from its parts.
    public init(off: [SharingScope] = [], automatic: [BundleIdentifier] = [], offers: [OfferDecision]? = nil) {
        self.off = off
        self.automatic = automatic
        self.offers = offers
    }
}
