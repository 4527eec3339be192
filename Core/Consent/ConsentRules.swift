internal import WaypostSchema

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

/// When a pin brings the offer to turn on automatic sharing: the numbers of the heuristic.
///
/// The talk says that there is one and not which; the numbers are ours (`docs/consent.md`).
public struct OfferRules: Sendable, Equatable, Codable {
    /// How many links for an app are pinned when the first offer is made.
    public var pinsForFirstOffer: Int

    /// How many links for an app are pinned within the window when a later offer is made.
    public var pinsForLaterOffer: Int

    /// For how many days a pin counts.
    public var windowInDays: Int

    /// For how many days there is no offer after an offer or a refusal.
    public var quietInDays: Int

    /// After how many refusals there is no offer any more.
    public var refusalsUntilSilence: Int

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - pinsForFirstOffer: how many links for an app are pinned when the first offer is made.
    ///   - pinsForLaterOffer: how many of them are pinned within the window when a later offer is made.
    ///   - windowInDays: for how many days a pin counts.
    ///   - quietInDays: for how many days there is no offer after an offer or a refusal.
    ///   - refusalsUntilSilence: after how many refusals there is no offer any more.
    public init(
        pinsForFirstOffer: Int = 1,
        pinsForLaterOffer: Int = 2,
        windowInDays: Int = 30,
        quietInDays: Int = 14,
        refusalsUntilSilence: Int = 2
    ) {
        self.pinsForFirstOffer = pinsForFirstOffer
        self.pinsForLaterOffer = pinsForLaterOffer
        self.windowInDays = windowInDays
        self.quietInDays = quietInDays
        self.refusalsUntilSilence = refusalsUntilSilence
    }
}

extension OfferRules {
    /// How many pins of an app are remembered: no more than an offer asks for.
    var rememberedPins: Int {
        max(pinsForFirstOffer, pinsForLaterOffer, 1)
    }

    /// Returns the earliest time at which a pin still counts at `now`.
    func windowStart(_ now: Timestamp) -> Timestamp {
        now.advanced(days: windowInDays, times: -1)
    }

    /// Returns when the quiet that began at `start` is over.
    func quietEnd(_ start: Timestamp) -> Timestamp {
        start.advanced(days: quietInDays, times: 1)
    }
}

extension Timestamp {
    /// Returns the time `days` days of 24 hours later or, with `times` -1, earlier.
    ///
    /// It stays within what a number holds: times come from outside, and none of them may stop the program.
    fileprivate func advanced(days: Int, times sign: Int) -> Timestamp {
        let span = days.multipliedReportingOverflow(by: sign * 86_400_000)
        let sum = rawValue.addingReportingOverflow(span.partialValue)
        guard span.overflow || sum.overflow else { return Timestamp(milliseconds: sum.partialValue) }
        return Timestamp(milliseconds: (days > 0) == (sign > 0) ? .max : .min)
    }
}
