internal import Consent
internal import HashTreeCollections
internal import UniversalLinks
internal import WaypostSchema

/// The computation of the items in apps' lists.
extension SharedWithYou {
    /// Recomputes the items of links in the lists of apps, and ends the offers whose reasons ended.
    ///
    /// - Returns: the updates for the apps, and the decisions about the offers that ended.
    mutating func refresh(_ keys: Set<ContentKey>, in apps: [BundleIdentifier]? = nil) -> [DeviceEffect] {
        // Most messages have no link, so nothing changes.
        guard !keys.isEmpty || apps != nil else { return [] }
        let shares = Dictionary(uniqueKeysWithValues: keys.map { ($0, openShares(of: $0)) })
        let refreshedApps = (apps ?? Array(centers.keys)).sorted { $0.rawValue < $1.rawValue }
        let updates: [DeviceEffect] = refreshedApps.compactMap { id in
            guard let changes = possibleChanges(of: shares, for: id) else { return nil }
            return centers[id]?.update(changes.items, isLoaded: changes.isLoaded, changes.permission, at: clock)
                .map { .sharing(.highlightsChanged($0)) }
        }
        return updates + endOffersWithoutReason(in: refreshedApps, keys)
    }

    /// Ends the open offers for apps whose reasons ended.
    ///
    /// - Parameters:
    ///   - apps: the apps.
    ///   - keys: the links that an event affects; whether others can reach the app has not changed.
    /// - Returns: the effect of each end.
    private mutating func endOffersWithoutReason(
        in apps: [BundleIdentifier],
        _ keys: Set<ContentKey>
    ) -> [DeviceEffect] {
        consent.appsWithOpenOffers.filter(apps.contains).compactMap { id -> DeviceEffect? in
            // A copy changes, because the closure reads the device.
            var nextConsent = consent
            let decision = nextConsent.endOfferWithoutReason(for: id, at: clock) { key, message in
                !keys.contains(key) || canSurface(key, of: message, in: id)
            }
            guard let decision else { return nil }
            consent = nextConsent
            return .sharing(.automaticSharingConsidered(decision))
        }
    }

    /// Returns whether a link of a message can reach an app, apart from the user's choices.
    private func canSurface(_ key: ContentKey, of id: MessageID, in app: BundleIdentifier) -> Bool {
        guard let message = messageStore.messages[id], let center = centers[app],
            let link = message.links.first(where: { $0.content.key == key })
        else { return false }
        return canSurface(link, of: message) && isOffered(link.content.url, to: center.app)
    }

    /// The items, the loaded state and the permission that a refresh may change for an app.
    private struct PossibleChanges {
        let items: [ContentKey: ShelfItem?]
        let isLoaded: Bool
        let permission: SharingPermission
    }

    /// Returns the possible changes for an app.
    ///
    /// This is a separate function so that no second copy of the app's lists exists while they change; otherwise each
    /// change would copy them.
    private func possibleChanges(
        of shares: [ContentKey: [OpenShare]],
        for app: BundleIdentifier
    ) -> PossibleChanges? {
        guard let center = centers[app] else { return nil }
        let items = shares.reduce(into: [ContentKey: ShelfItem?](minimumCapacity: shares.count)) { items, entry in
            items[entry.key] = .some(item(entry.key, entry.value, in: center))
        }
        return PossibleChanges(
            items: items,
            isLoaded: center.app.isLoaded(records),
            permission: permission(of: app)
        )
    }

    /// Returns the permission that the user's choices give an app.
    func permission(of app: BundleIdentifier) -> SharingPermission {
        if consent.isOff(.everywhere) { return consent.rules.pinnedIsAlwaysAvailable ? .deniedUnlessPinned : .denied }
        return consent.isOff(.app(app)) ? .deniedUnlessPinned : .granted
    }

    /// A share that passed the gates that are the same for every app.
    struct OpenShare {
        let conversation: ConversationID
        let share: Share
        let url: LinkURL

        /// The time since when the conversation has had the link.
        let since: Timestamp
    }

    /// Returns whether somebody in a conversation is a contact, or the rules let a pin of the link in it replace one.
    func isFromFriends(_ conversation: ConversationID, _ key: ContentKey) -> Bool {
        messageStore.conversations[conversation]?.contact != nil
            || consent.rules.pinnedNeedsNoContact && isPinned(key, in: conversation)
    }

    /// Returns whether a link is pinned in a conversation.
    func isPinned(_ key: ContentKey, in conversation: ConversationID) -> Bool {
        consent.pins(of: key).contains { $0.conversation == conversation }
    }

    /// Returns the latest share of a link in each conversation with a contact.
    private func openShares(of key: ContentKey) -> [OpenShare] {
        // Most conversations have the same spelling of the URL, so parse it once.
        var lastParsedURL: (string: String, url: LinkURL?)?
        return (messageStore.links[key]?.conversations ?? []).compactMap { group in
            guard let share = group.shares.last, isFromFriends(group.conversation, key) else { return nil }
            if lastParsedURL?.string != share.url { lastParsedURL = (share.url, try? LinkURL(share.url)) }
            guard let url = lastParsedURL?.url else { return nil }
            return OpenShare(
                conversation: group.conversation,
                share: share,
                url: url,
                since: group.since ?? share.changedAt
            )
        }
    }

    /// Returns the item for an app that results from shares of a link; `nil` if none of the shares passes the app's
    /// gates.
    private func item(_ key: ContentKey, _ shares: [OpenShare], in center: HighlightCenter) -> ShelfItem? {
        guard center.app.hasCapability, let association = center.app.association else { return nil }
        var lastAnswer: (url: String, isOffered: Bool)?
        let surfacingShares = shares.filter { openShare in
            let question = ConsentQuestion(
                key: key,
                app: center.app.bundleIdentifier,
                conversation: openShare.conversation,
                eventNumber: openShare.share.eventNumber
            )
            guard consent.allows(question) else { return false }
            if lastAnswer?.url != openShare.share.url {
                lastAnswer = (openShare.share.url, association.offers(openShare.url, records: records))
            }
            return lastAnswer?.isOffered == true
        }
        .sorted { $0.share.isLater(than: $1.share) }
        guard let latest = surfacingShares.first?.share else { return nil }
        let pin = consent.pins(of: key).map(\.moment).max()
        return ShelfItem(
            key: key,
            url: latest.url,
            sharedAt: latest.sentAt,
            arrival: latest.arrival,
            messages: surfacingShares.map(\.share.message),
            pin: pin,
            score: score(key, surfacingShares, isPinned: pin != nil, in: center).total(ranking),
            eligibleFrom: (surfacingShares.map(\.since).min() ?? latest.changedAt).advanced(by: ranking.minimumAge),
            eligibleUntil: pin == nil ? latest.sentAt.advanced(by: ranking.maximumAge) : nil
        )
    }

    /// Returns the number of contacts who sent the messages that are shown, up to the most that have points.
    private func sharerCount(_ shares: [OpenShare]) -> Int {
        var contacts: Set<ContactID> = []
        for openShare in shares {
            guard contacts.count < ranking.sharerPoints.count else { break }
            if let contact = messageStore.contacts.contact(for: openShare.share.sender) { contacts.insert(contact) }
        }
        return contacts.count
    }

    /// Returns the parts of an item's score.
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
            sharerCount: sharerCount(shares),
            isPinned: isPinned,
            feedback: center.feedback[key] ?? ItemFeedback()
        )
    }

    // MARK: Links of an app

    /// Returns the keys of the links whose hosts are associated with an app, or only by one file.
    func keys(for app: SharingApp, _ request: AssociationRequest? = nil) -> Set<ContentKey> {
        guard let association = app.association else { return [] }
        return messageStore.keysByHost.reduce(into: []) { keys, entry in
            guard let associated = association.entry(for: entry.key),
                request == nil || association.request(for: associated) == request
            else { return }
            keys.formUnion(entry.value)
        }
    }

    /// Returns whether an app may be offered a URL.
    func isOffered(_ url: String, to app: SharingApp) -> Bool {
        guard app.hasCapability, let association = app.association, let linkURL = try? LinkURL(url) else {
            return false
        }
        return association.offers(linkURL, records: records)
    }
}
