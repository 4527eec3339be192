/// What an installation decides about a person's choices; the defaults are those of `docs/consent.md`.
public struct ConsentRules: Sendable, Equatable, Codable {
    /// Whether pinned content is available whatever was turned off, everywhere too: the talk's "always" to the letter.
    public var pinnedIsAlwaysAvailable: Bool

    /// When automatic sharing is offered.
    public var offers: OfferRules

    /// Creates rules.
    public init(pinnedIsAlwaysAvailable: Bool = false, offers: OfferRules = OfferRules()) {
        self.pinnedIsAlwaysAvailable = pinnedIsAlwaysAvailable
        self.offers = offers
    }
}
