public import Consent
internal import HashTreeCollections
public import UniversalLinks
public import WaypostSchema

/// The links from Messages on a device: which of them each app receives, in which order, and why.
///
/// It is a value that only events change. The cost of an event does not grow with the number of earlier events, but
/// with what the event affects:
///
/// - A link: the conversations that have it, and its pins.
/// - A contact: the contact's conversations.
/// - Turning sharing on or off, installing an app, or a new association file: the links of the app and the hosts on the
///   device.
public struct SharedWithYou: Sendable, Codable {
    /// The constants of the ranking.
    public let ranking: RankingRules

    /// The device's current time.
    public private(set) var clock = Timestamp(milliseconds: 0)

    /// Whether links that are too old are shown only after Show More.
    public var isStaleBehindShowMore = true

    var messageStore = MessageStore()
    var consent: ConsentChoices
    var centers: [BundleIdentifier: HighlightCenter] = [:]

    /// The association files that the device has.
    private(set) var records = AssociationRecords()

    /// Creates a device without apps, contacts and messages.
    public init(consent: ConsentRules = ConsentRules(), ranking: RankingRules = RankingRules()) {
        self.consent = ConsentChoices(rules: consent)
        self.ranking = ranking
    }

    /// The user's choices about sharing.
    public var settings: SharingSettings {
        var settings = consent.settings
        let offers = apps.filter { centers[$0]?.app.hasCapability == true }
            .map { consent.offerStanding(for: $0, at: clock) }
        settings.offers = offers.isEmpty ? nil : offers
        return settings
    }

    /// The offers of automatic sharing that the user can answer, sorted by app.
    public var openOffers: [OfferDecision] {
        consent.appsWithOpenOffers.map { consent.offerStanding(for: $0, at: clock) }
    }

    /// The next time at which the passing of time alone changes something; `nil` if there is none.
    public var nextDeadline: Timestamp? {
        centers.values.compactMap(\.shelf.nextDeadline).min()
    }

    /// Advances the time; an earlier time than the current one has no effect.
    ///
    /// - Returns: the updates for apps.
    public mutating func advanceTime(to now: Timestamp) -> [DeviceEffect] {
        clock = max(clock, min(now, .endOfYear9999))
        let dueApps = centers.compactMap { app, center in
            center.shelf.nextDeadline.flatMap { $0 <= clock ? app : nil }
        }
        return dueApps.isEmpty ? [] : refresh([], in: dueApps)
    }

    /// Installs an app or another version of it.
    ///
    /// - Returns: the updates for apps.
    public mutating func install(_ app: SharingApp) -> [DeviceEffect] {
        let previous = centers[app.bundleIdentifier]?.app
        centers[app.bundleIdentifier, default: HighlightCenter(app)].app = app
        let apps = [previous, app].compactMap(\.self)
        return refresh(apps.reduce(into: []) { $0.formUnion(keys(for: $1)) }, in: [app.bundleIdentifier])
    }

    /// Changes the rules about the user's choices.
    ///
    /// - Parameter change: the change of the rules.
    /// - Returns: the updates for apps.
    public mutating func changeConsentRules(_ change: (inout ConsentRules) -> Void) -> [DeviceEffect] {
        let previous = consent.rules
        change(&consent.rules)
        guard consent.rules != previous else { return [] }
        return centers.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { refreshAll(of: $0) }
    }

    /// Removes an app and the feedback of its views.
    public mutating func remove(_ app: BundleIdentifier) {
        centers[app] = nil
        consent.endOffer(for: app)
    }

    /// Updates the association files.
    ///
    /// - Parameters:
    ///   - records: all association files that the device has.
    ///   - request: the file whose record changed.
    /// - Returns: the updates for apps.
    public mutating func setRecords(
        _ records: AssociationRecords,
        changed request: AssociationRequest
    ) -> [DeviceEffect] {
        let previous = self.records[request]?.revision
        // Changes of other files are reported in calls of their own.
        self.records[request] = records[request]
        let affectedApps = centers.values.map(\.app).filter { $0.neededFiles.contains(request) }
        // After a failure the last good file stays in use, so at most the apps' loaded state changes.
        let isSameFile = previous == records[request]?.revision
        return affectedApps.sorted { $0.bundleIdentifier.rawValue < $1.bundleIdentifier.rawValue }.flatMap { app in
            refresh(isSameFile ? [] : keys(for: app, request), in: [app.bundleIdentifier])
        }
    }
}
