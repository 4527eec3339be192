internal import Consent
internal import HashTreeCollections
public import WaypostSchema

extension SharedWithYou {
    /// Returns the links from others that match a search, whether or not an app has them.
    ///
    /// A link matches if each word of the query is in its URL, in the text of the latest message of a conversation with
    /// it, in the name of that message's sender or in the name of the conversation. ASCII letters match regardless of
    /// case.
    ///
    /// - Parameters:
    ///   - query: words separated by white space; an empty query matches every link.
    ///   - limit: the maximum number of links.
    /// - Returns: the links and where they match: pinned links by their latest pin, then those that an app has, then
    ///   the others, both by their latest share; each with the latest first.
    /// - Complexity: O(n log n) for n links.
    public func search(_ query: String, limit: Int) -> [FoundLink] {
        let words = query.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
        let shelves = apps.compactMap { app -> LoadedShelf? in
            guard let center = centers[app], center.isLoaded else { return nil }
            return LoadedShelf(app: app, shelf: center.shelf)
        }
        return messageStore.links.compactMap { finding(words, key: $0.key, record: $0.value, in: shelves) }
            .sorted()
            .prefix(max(0, limit))
            .map(foundLink)
    }

    /// The list of an app that has its association files.
    private struct LoadedShelf {
        let app: BundleIdentifier
        let shelf: Shelf
    }

    /// Returns a link with all apps that have it; `nil` if only the user sent it, or if a word matches nowhere.
    private func finding(
        _ words: [[UInt8]],
        key: ContentKey,
        record: LinkRecord,
        in shelves: [LoadedShelf]
    ) -> LinkFinding? {
        let shares = record.conversations.compactMap(\.shares.last).sorted { $0.isLater(than: $1) }
        guard let latest = shares.first else { return nil }
        var places: [String] = []
        if !words.isEmpty {
            let texts = shares.map { (place: "its URL", text: $0.url) } + shares.flatMap { self.texts(of: $0.message) }
            for word in words {
                guard let place = texts.first(where: { MessageSearch.contains(word, in: $0.text) })?.place else {
                    return nil
                }
                if !places.contains(place) { places.append(place) }
            }
        }
        return LinkFinding(
            key: key,
            latest: latest,
            conversations: shares.compactMap { messageStore.messages[$0.message]?.conversation },
            apps: shelves.filter { $0.shelf.items[key] != nil }.map(\.app),
            pin: consent.pins(of: key).map(\.moment).max(),
            places: places
        )
    }

    /// Returns the searchable texts of a message, each with a description of its place.
    private func texts(of id: MessageID) -> [(place: String, text: String)] {
        guard let message = messageStore.messages[id] else { return [] }
        let contact = message.sender.flatMap { messageStore.contacts.contact(for: CanonicalHandle($0)) }
            .flatMap { messageStore.contacts[$0] }
        let names = [contact?.givenName, contact?.familyName, contact?.nickname].compactMap(\.self)
        let conversation = messageStore.conversations[message.conversation]?.declared?.name
        let nameText = conversation.map { (place: "the name of \(message.conversation)", text: $0) }
        return [
            (place: "the text of \(id)", text: message.text),
            (place: "the name of the sender of \(id)", text: names.joined(separator: " ")),
        ] + [nameText].compactMap(\.self)
    }

    private func foundLink(_ finding: LinkFinding) -> FoundLink {
        let matchSentence =
            finding.places.isEmpty ? "the query is empty" : "found in \(finding.places.joined(separator: ", "))"
        return FoundLink(
            url: finding.latest.url,
            apps: finding.apps,
            isPinned: finding.pin != nil,
            sharedAt: finding.latest.sentAt,
            conversations: finding.conversations,
            explanation: "\(matchSentence); \(finding.orderSentence)"
        )
    }
}

/// A link that a search found, whether or not an app has it.
private struct LinkFinding: Comparable {
    let key: ContentKey
    let latest: Share
    let conversations: [ConversationID]
    let apps: [BundleIdentifier]
    let pin: EventMoment?
    let places: [String]

    /// The reason for the position.
    var orderSentence: String {
        if pin != nil { return "listed first because it is pinned" }
        let reason = apps.isEmpty ? "listed last because no app has it" : "listed before the rest because an app has it"
        return "\(reason), ordered by its latest share"
    }

    private var group: Int {
        if pin != nil { return 0 }
        return apps.isEmpty ? 2 : 1
    }

    /// The numbers by which findings are sorted, the most significant first.
    private var sortNumbers: (Int, Int, Int, Int) {
        // One event may pin several links; then their shares decide.
        (group, -(pin?.eventNumber ?? 0), -latest.sentAt.rawValue, -latest.arrival)
    }

    static func < (left: Self, right: Self) -> Bool {
        left.sortNumbers < right.sortNumbers
    }

    static func == (left: Self, right: Self) -> Bool {
        left.key == right.key
    }
}
