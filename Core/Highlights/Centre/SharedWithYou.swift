public import Consent
internal import HashTreeCollections
public import UniversalLinks
public import WaypostSchema

/// Links from Messages on a device: which of them each app is handed, in which order, and why.
///
/// It is a value that changes only by events. What an event costs does not grow with what happened before it, but for the
/// few that are about everything at once: turning sharing on or off, installing an app, another association file.
public struct SharedWithYou: Sendable {
    /// The constants of the ranking.
    public let ranking: RankingRules

    /// The time, as far as it has passed here.
    public private(set) var clock = Timestamp(milliseconds: 0)

    var book = MessageBook()
    var consent: ConsentBook
    var centres: [BundleIdentifier: AppCentre] = [:]

    /// What is known of association files, by domain.
    private(set) var records: [String: AssociationRecord] = [:]

    /// Creates a device without apps, contacts and messages.
    public init(consent: ConsentRules = ConsentRules(), ranking: RankingRules = RankingRules()) {
        self.consent = ConsentBook(rules: consent)
        self.ranking = ranking
    }

    /// When something changes by the passing of time alone; `nil` for never.
    public var nextDeadline: Timestamp? {
        centres.values.compactMap(\.shelf.nextDeadline).min()
    }

    /// Lets time pass; it never goes back.
    ///
    /// - Returns: what apps are told.
    public mutating func pass(to now: Timestamp) -> [DeviceEffect] {
        clock = max(clock, min(now, .endOfYear9999))
        let due = centres.compactMap { app, centre in
            centre.shelf.nextDeadline.flatMap { $0 <= clock ? app : nil }
        }
        return due.isEmpty ? [] : refresh([], in: due)
    }

    /// Installs an app, or another version of it.
    ///
    /// - Returns: what apps are told.
    public mutating func install(_ app: SharingApp) -> [DeviceEffect] {
        let former = centres[app.bundleIdentifier]?.app
        centres[app.bundleIdentifier, default: AppCentre(app)].app = app
        let apps = [former, app].compactMap(\.self)
        return refresh(apps.reduce(into: []) { $0.formUnion(keys(for: $1)) }, in: [app.bundleIdentifier])
    }

    /// Says whether a pinned link is available whatever else the person chose.
    ///
    /// - Returns: what apps are told.
    public mutating func setPinnedIsAlwaysAvailable(_ isAlways: Bool) -> [DeviceEffect] {
        guard consent.rules.pinnedIsAlwaysAvailable != isAlways else { return [] }
        consent.rules.pinnedIsAlwaysAvailable = isAlways
        return centres.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { refreshAll(of: $0) }
    }

    /// Takes an app away, with what its views told.
    public mutating func remove(_ app: BundleIdentifier) {
        centres[app] = nil
    }

    /// Takes in what is known of association files.
    ///
    /// - Parameters:
    ///   - records: all that is known, by domain.
    ///   - domain: the domain whose record is new.
    /// - Returns: what apps are told.
    public mutating func use(_ records: [String: AssociationRecord], changed domain: String) -> [DeviceEffect] {
        let former = self.records[domain]?.revision
        self.records = records
        let concerned = centres.values.map(\.app).filter { $0.association?.neededFiles[domain] != nil }
        // A failure leaves the last good file in use, so that only whether the app has loaded can change.
        let isSameFile = former == records[domain]?.revision
        return concerned.sorted { $0.bundleIdentifier.rawValue < $1.bundleIdentifier.rawValue }.flatMap { app in
            refresh(isSameFile ? [] : keys(for: app, domain), in: [app.bundleIdentifier])
        }
    }

    // MARK: What an item is made of

    /// Gives the items of links new values in the lists of apps; returns what the apps are told.
    mutating func refresh(_ keys: Set<ContentKey>, in apps: [BundleIdentifier]? = nil) -> [DeviceEffect] {
        let shares = Dictionary(uniqueKeysWithValues: keys.map { ($0, openShares(of: $0)) })
        return (apps ?? Array(centres.keys)).sorted { $0.rawValue < $1.rawValue }.compactMap { id in
            guard let centre = centres[id] else { return nil }
            let changes = shares.reduce(into: [ContentKey: ShelfItem?]()) { changes, entry in
                changes[entry.key] = .some(item(entry.key, entry.value, in: centre))
            }
            let (isLoaded, permission) = (centre.app.isLoaded(records), permission(of: id))
            return centres[id]?.update(changes, isLoaded: isLoaded, permission, at: clock).map {
                .highlightsChanged($0)
            }
        }
    }

    /// Returns what the person's choices leave to an app.
    func permission(of app: BundleIdentifier) -> SharingPermission {
        if consent.isOff(.everywhere) { return consent.rules.pinnedIsAlwaysAvailable ? .deniedUnlessPinned : .denied }
        return consent.isOff(.app(app)) ? .deniedUnlessPinned : .granted
    }

    /// A share that passed the gates that are the same for every app.
    struct OpenShare {
        let conversation: ConversationID
        let share: Share
        let url: LinkURL
    }

    /// Returns the latest share of a link in each conversation with a contact.
    private func openShares(of key: ContentKey) -> [OpenShare] {
        (book.links[key]?.conversations ?? []).compactMap { group in
            guard let share = group.shares.last, book.conversations[group.conversation]?.contact != nil,
                let url = try? LinkURL(share.url)
            else { return nil }
            return OpenShare(conversation: group.conversation, share: share, url: url)
        }
    }

    /// Returns the item that shares of a link make for an app; `nil` where none of them passes its gates.
    private func item(_ key: ContentKey, _ shares: [OpenShare], in centre: AppCentre) -> ShelfItem? {
        guard centre.app.hasCapability, let association = centre.app.association else { return nil }
        let surfacing = shares.filter { open in
            let question = ConsentQuestion(
                key: key,
                app: centre.app.bundleIdentifier,
                conversation: open.conversation
            )
            return consent.allows(question) && association.offers(open.url, records: records)
        }
        .sorted { $0.share.isLater(than: $1.share) }
        guard let latest = surfacing.first?.share else { return nil }
        let pin = consent.pins(of: key).filter { pin in surfacing.contains { $0.conversation == pin.conversation } }
            .map(\.moment.at).max()
        return ShelfItem(
            key: key,
            url: latest.url,
            sharedAt: latest.sentAt,
            messages: surfacing.map(\.share.message),
            pinnedAt: pin,
            score: score(key, surfacing, isPinned: pin != nil, in: centre).total(ranking),
            opensAt: max(latest.sentAt, latest.changedAt).advanced(by: ranking.minimumAge),
            closesAt: pin == nil ? latest.sentAt.advanced(by: ranking.maximumAge) : nil
        )
    }

    /// Returns what the score of an item is the sum of.
    func score(_ item: ShelfItem, in centre: AppCentre) -> SuggestionScore {
        let shares = openShares(of: item.key).filter { item.messages.contains($0.share.message) }
        return score(item.key, shares, isPinned: item.pinnedAt != nil, in: centre)
    }

    private func score(
        _ key: ContentKey,
        _ shares: [OpenShare],
        isPinned: Bool,
        in centre: AppCentre
    ) -> SuggestionScore {
        SuggestionScore(
            sharedAt: shares.map(\.share.sentAt).max() ?? Timestamp(milliseconds: 0),
            sharers: Set(shares.compactMap { book.contacts.contact(for: $0.share.sender) }).count,
            isPinned: isPinned,
            feedback: centre.feedback[key] ?? ItemFeedback()
        )
    }

    // MARK: Which links are an app's

    /// Returns the keys of the links on hosts that an app is associated with.
    func keys(for app: SharingApp, _ domain: String? = nil) -> Set<ContentKey> {
        guard let association = app.association else { return [] }
        return book.keysByHost.reduce(into: []) { keys, entry in
            guard let associated = association.entry(for: entry.key), domain == nil || associated.domain == domain
            else { return }
            keys.formUnion(entry.value)
        }
    }

    /// Returns whether an app may be offered what a URL is the URL of.
    func isOffered(_ url: String, to app: SharingApp) -> Bool {
        guard app.hasCapability, let association = app.association, let parsed = try? LinkURL(url) else { return false }
        return association.offers(parsed, records: records)
    }
}

extension Timestamp {
    /// The latest time that is taken for one, so that no sum of times is too large for a number.
    package static let endOfYear9999 = Self(milliseconds: 253_402_300_799_999)

    func advanced(by milliseconds: Int) -> Self {
        Self(milliseconds: rawValue + milliseconds)
    }
}
