public import Consent
internal import HashTreeCollections
public import UniversalLinks
public import WaypostSchema

/// Links from Messages on a device: which of them each app is handed, in which order, and why.
///
/// It is a value that changes only by events. What an event costs does not grow with what happened before it. It grows with
/// what it is about: a link with the conversations that have it (and its pins), a contact with theirs, and turning sharing on
/// or off, installing an app or another association file with the links of the app and the hosts on the device.
public struct SharedWithYou: Sendable, Codable {
    /// The constants of the ranking.
    public let ranking: RankingRules

    /// The time, as far as it has passed here.
    public private(set) var clock = Timestamp(milliseconds: 0)

    var messageStore = MessageStore()
    var consent: ConsentChoices
    var centers: [BundleIdentifier: HighlightCenter] = [:]

    /// What is known of association files, by domain.
    private(set) var records: [String: AssociationRecord] = [:]

    /// Creates a device without apps, contacts and messages.
    public init(consent: ConsentRules = ConsentRules(), ranking: RankingRules = RankingRules()) {
        self.consent = ConsentChoices(rules: consent)
        self.ranking = ranking
    }

    /// When something changes by the passing of time alone; `nil` for never.
    public var nextDeadline: Timestamp? {
        centers.values.compactMap(\.shelf.nextDeadline).min()
    }

    /// Lets time pass; it never goes back.
    ///
    /// - Returns: what apps are told.
    public mutating func pass(to now: Timestamp) -> [DeviceEffect] {
        clock = max(clock, min(now, .endOfYear9999))
        let due = centers.compactMap { app, center in
            center.shelf.nextDeadline.flatMap { $0 <= clock ? app : nil }
        }
        return due.isEmpty ? [] : refresh([], in: due)
    }

    /// Installs an app, or another version of it.
    ///
    /// - Returns: what apps are told.
    public mutating func install(_ app: SharingApp) -> [DeviceEffect] {
        let former = centers[app.bundleIdentifier]?.app
        centers[app.bundleIdentifier, default: HighlightCenter(app)].app = app
        let apps = [former, app].compactMap(\.self)
        return refresh(apps.reduce(into: []) { $0.formUnion(keys(for: $1)) }, in: [app.bundleIdentifier])
    }

    /// Says whether a pinned link is available whatever else the person chose.
    ///
    /// - Returns: what apps are told.
    public mutating func setPinnedIsAlwaysAvailable(_ isAlways: Bool) -> [DeviceEffect] {
        guard consent.rules.pinnedIsAlwaysAvailable != isAlways else { return [] }
        consent.rules.pinnedIsAlwaysAvailable = isAlways
        return centers.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { refreshAll(of: $0) }
    }

    /// Takes an app away, with what its views told.
    public mutating func remove(_ app: BundleIdentifier) {
        centers[app] = nil
    }

    /// Takes in what is known of association files.
    ///
    /// - Parameters:
    ///   - records: all that is known, by domain.
    ///   - domain: the domain whose record is new.
    /// - Returns: what apps are told.
    public mutating func use(_ records: [String: AssociationRecord], changed domain: String) -> [DeviceEffect] {
        let former = self.records[domain]?.revision
        // The others' news are told with them.
        self.records[domain] = records[domain]
        let concerned = centers.values.map(\.app).filter { $0.neededDomains.contains(domain) }
        // A failure leaves the last good file in use, so that only whether the app has loaded can change.
        let isSameFile = former == records[domain]?.revision
        return concerned.sorted { $0.bundleIdentifier.rawValue < $1.bundleIdentifier.rawValue }.flatMap { app in
            refresh(isSameFile ? [] : keys(for: app, domain), in: [app.bundleIdentifier])
        }
    }
}

extension Timestamp {
    /// The latest time that is taken for one, so that no sum of times is too large for a number.
    package static let endOfYear9999 = Self(milliseconds: 253_402_300_799_999)

    func advanced(by milliseconds: Int) -> Self {
        Self(milliseconds: rawValue + milliseconds)
    }
}
