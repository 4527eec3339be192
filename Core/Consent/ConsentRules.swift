internal import WaypostSchema

/// The settings of an installation for consent; `docs/consent.md` documents the defaults.
public struct ConsentRules: Sendable, Equatable, Codable {
    /// Whether pinned content is available even if sharing is off, including everywhere (WWDC22: "always available").
    ///
    /// If not, the later of a pin and an *off* for an app or a conversation counts, and *off* everywhere overrides
    /// every pin.
    public var pinnedIsAlwaysAvailable: Bool

    /// Whether automatic sharing also permits the links that came before it was turned on.
    ///
    /// The default is the sentence of WWDC22: when it is turned on, "further content" is available.
    public var automaticSharingIncludesEarlier: Bool

    /// Whether a pinned link needs no contact in the conversation in which it is pinned (WWDC22: "always available").
    ///
    /// By default the rule about contacts applies to pinned links, too.
    public var pinnedNeedsNoContact: Bool

    /// The rules for offers of automatic sharing.
    public var offers: OfferRules

    /// Creates rules.
    public init(
        pinnedIsAlwaysAvailable: Bool = true,
        automaticSharingIncludesEarlier: Bool = false,
        pinnedNeedsNoContact: Bool = false,
        offers: OfferRules = OfferRules()
    ) {
        self.pinnedIsAlwaysAvailable = pinnedIsAlwaysAvailable
        self.automaticSharingIncludesEarlier = automaticSharingIncludesEarlier
        self.pinnedNeedsNoContact = pinnedNeedsNoContact
        self.offers = offers
    }
}

/// The numbers of the heuristic that decides whether a pin triggers the offer of automatic sharing.
///
/// The talk mentions a heuristic but does not describe it; these numbers are Waypost's own (`docs/consent.md`).
public struct OfferRules: Sendable, Equatable, Codable {
    /// The number of pinned links for an app that triggers the first offer.
    public var pinsForFirstOffer: Int

    /// The number of pinned links for an app within the window that triggers a later offer.
    public var pinsForLaterOffer: Int

    /// The number of days for which a pin counts.
    public var windowInDays: Int

    /// The number of days without an offer after an offer or a refusal.
    public var quietInDays: Int

    /// The number of refusals after which there are no more offers.
    public var refusalsUntilSilence: Int

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - pinsForFirstOffer: the number of pinned links for an app that triggers the first offer.
    ///   - pinsForLaterOffer: the number of pinned links within the window that triggers a later offer.
    ///   - windowInDays: the number of days for which a pin counts.
    ///   - quietInDays: the number of days without an offer after an offer or a refusal.
    ///   - refusalsUntilSilence: the number of refusals after which there are no more offers.
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
    /// The maximum number of pins to store for an app: as many as an offer can require.
    var maximumRecordedPins: Int {
        max(pinsForFirstOffer, pinsForLaterOffer, 1)
    }

    /// Returns the earliest time of a pin that still counts at `now`.
    func windowStart(at now: Timestamp) -> Timestamp {
        now.advanced(days: windowInDays, sign: -1)
    }

    /// Returns the end of the quiet period that began at `start`.
    func quietPeriodEnd(startingAt start: Timestamp) -> Timestamp {
        start.advanced(days: quietInDays, sign: 1)
    }
}

extension Timestamp {
    /// Returns the time `days` days of 24 hours later or, if `sign` is -1, earlier.
    ///
    /// The result saturates instead of overflowing, because no input may stop the program.
    fileprivate func advanced(days: Int, sign: Int) -> Timestamp {
        let difference = days.multipliedReportingOverflow(by: sign * 86_400_000)
        let sum = rawValue.addingReportingOverflow(difference.partialValue)
        guard difference.overflow || sum.overflow else { return Timestamp(milliseconds: sum.partialValue) }
        return Timestamp(milliseconds: (days > 0) == (sign > 0) ? .max : .min)
    }
}
