internal import Consent
internal import HashTreeCollections
internal import UniversalLinks
internal import WaypostSchema

/// What the items of apps' lists are made of.
extension SharedWithYou {
    /// Gives the items of links new values in the lists of apps; returns what the apps are told.
    mutating func refresh(_ keys: Set<ContentKey>, in apps: [BundleIdentifier]? = nil) -> [DeviceEffect] {
        // Most messages have no link, and nothing to tell.
        guard !keys.isEmpty || apps != nil else { return [] }
        let shares = Dictionary(uniqueKeysWithValues: keys.map { ($0, openShares(of: $0)) })
        return (apps ?? Array(centers.keys)).sorted { $0.rawValue < $1.rawValue }.compactMap { id in
            guard let news = news(of: shares, for: id) else { return nil }
            return centers[id]?.update(news.items, isLoaded: news.isLoaded, news.permission, at: clock)
                .map { .highlightsChanged($0) }
        }
    }

    /// What may be new to an app.
    private struct News {
        let items: [ContentKey: ShelfItem?]
        let isLoaded: Bool
        let permission: SharingPermission
    }

    /// Returns what may be new to an app; a function of its own so that nobody holds a second copy of the app's lists while
    /// they are changed, which would make the change copy them.
    private func news(of shares: [ContentKey: [OpenShare]], for app: BundleIdentifier) -> News? {
        guard let center = centers[app] else { return nil }
        let items = shares.reduce(into: [ContentKey: ShelfItem?](minimumCapacity: shares.count)) { items, entry in
            items[entry.key] = .some(item(entry.key, entry.value, in: center))
        }
        return News(items: items, isLoaded: center.app.isLoaded(records), permission: permission(of: app))
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

        /// Since when the conversation has had the link.
        let since: Timestamp

        /// Who sent it there.
        let senders: [CanonicalHandle: Int]
    }

    /// Returns the latest share of a link in each conversation with a contact.
    private func openShares(of key: ContentKey) -> [OpenShare] {
        // Most conversations have it spelt alike.
        var parsed: (text: String, url: LinkURL?)?
        return (messageStore.links[key]?.conversations ?? []).compactMap { group in
            guard let share = group.shares.last, messageStore.conversations[group.conversation]?.contact != nil else {
                return nil
            }
            if parsed?.text != share.url { parsed = (share.url, try? LinkURL(share.url)) }
            guard let url = parsed?.url else { return nil }
            return OpenShare(
                conversation: group.conversation,
                share: share,
                url: url,
                since: group.since ?? share.changedAt,
                senders: group.senders
            )
        }
    }

    /// Returns the item that shares of a link make for an app; `nil` where none of them passes its gates.
    private func item(_ key: ContentKey, _ shares: [OpenShare], in center: HighlightCenter) -> ShelfItem? {
        guard center.app.hasCapability, let association = center.app.association else { return nil }
        var asked: (text: String, isOffered: Bool)?
        let surfacing = shares.filter { open in
            let question = ConsentQuestion(
                key: key,
                app: center.app.bundleIdentifier,
                conversation: open.conversation
            )
            guard consent.allows(question) else { return false }
            if asked?.text != open.share.url {
                asked = (open.share.url, association.offers(open.url, records: records))
            }
            return asked?.isOffered == true
        }
        .sorted { $0.share.isLater(than: $1.share) }
        guard let latest = surfacing.first?.share else { return nil }
        let pin = consent.pins(of: key).map(\.moment.at).max()
        return ShelfItem(
            key: key,
            url: latest.url,
            sharedAt: latest.sentAt,
            messages: surfacing.map(\.share.message),
            pinnedAt: pin,
            score: score(key, surfacing, isPinned: pin != nil, in: center).total(ranking),
            opensAt: (surfacing.map(\.since).min() ?? latest.changedAt).advanced(by: ranking.minimumAge),
            closesAt: pin == nil ? latest.sentAt.advanced(by: ranking.maximumAge) : nil
        )
    }

    /// Returns how many contacts sent a link; more than the ranking tells apart are not counted.
    private func sharers(_ shares: [OpenShare]) -> Int {
        var contacts: Set<ContactID> = []
        for share in shares {
            for (sender, _) in share.senders {
                guard contacts.count < ranking.sharerPoints.count else { return contacts.count }
                if let contact = messageStore.contacts.contact(for: sender) { contacts.insert(contact) }
            }
        }
        return contacts.count
    }

    /// Returns what the score of an item is the sum of.
    func score(_ item: ShelfItem, in center: HighlightCenter) -> SuggestionScore {
        let shares = openShares(of: item.key).filter { item.messages.contains($0.share.message) }
        return score(item.key, shares, isPinned: item.pinnedAt != nil, in: center)
    }

    private func score(
        _ key: ContentKey,
        _ shares: [OpenShare],
        isPinned: Bool,
        in center: HighlightCenter
    ) -> SuggestionScore {
        SuggestionScore(
            sharedAt: shares.map(\.share.sentAt).max() ?? Timestamp(milliseconds: 0),
            sharers: sharers(shares),
            isPinned: isPinned,
            feedback: center.feedback[key] ?? ItemFeedback()
        )
    }

    // MARK: Which links are an app's

    /// Returns the keys of the links on hosts that an app is associated with.
    func keys(for app: SharingApp, _ domain: String? = nil) -> Set<ContentKey> {
        guard let association = app.association else { return [] }
        return messageStore.keysByHost.reduce(into: []) { keys, entry in
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
