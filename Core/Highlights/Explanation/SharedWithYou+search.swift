internal import Consent
internal import HashTreeCollections
public import WaypostSchema

extension SharedWithYou {
    /// Returns the links that match a search, from the highlights of all apps.
    ///
    /// A link matches if each word of the query is in its URL, in the text of a message that contains it, in the name
    /// of that message's sender or in the name of the conversation. ASCII letters match regardless of case.
    ///
    /// - Parameters:
    ///   - query: words separated by white space; an empty query matches every link.
    ///   - limit: the maximum number of links.
    /// - Returns: the links and where they match: pinned links by their latest pin, then the others by their latest
    ///   share, each with the latest first.
    /// - Complexity: O(links).
    public func search(_ query: String, limit: Int) -> [FoundLink] {
        let words = query.split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
        var items: [ContentKey: [(app: BundleIdentifier, item: ShelfItem)]] = [:]
        for app in apps {
            guard let center = centers[app], center.isLoaded else { continue }
            for (key, item) in center.shelf.items { items[key, default: []].append((app, item)) }
        }
        return items.values.compactMap { finding(words, in: $0) }.sorted().prefix(max(0, limit)).map(foundLink)
    }

    /// Returns a link with all apps that have it; `nil` if one of the words matches nowhere.
    private func finding(_ words: [[UInt8]], in items: [(app: BundleIdentifier, item: ShelfItem)]) -> LinkFinding? {
        // Apps may have different shares of a link; report the pinned one, or else the newer one.
        guard let item = items.map(\.item).min(by: { LinkFinding.sortKey(of: $0) < LinkFinding.sortKey(of: $1) }) else {
            return nil
        }
        let messages = items.flatMap(\.item.messages).reduce(into: [MessageID]()) { messages, message in
            if !messages.contains(message) { messages.append(message) }
        }
        let texts = items.map { (place: "its URL", text: $0.item.url) } + messages.flatMap(texts)
        var places: [String] = []
        for word in words {
            guard let place = texts.first(where: { MessageSearch.contains(word, in: $0.text) })?.place else {
                return nil
            }
            if !places.contains(place) { places.append(place) }
        }
        return LinkFinding(item: item, apps: items.map(\.app), places: places)
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
        let item = finding.item
        let orderSentence =
            item.pinnedAt == nil ? "ordered by its latest share" : "listed before the others because it is pinned"
        let matchSentence =
            finding.places.isEmpty ? "the query is empty" : "found in \(finding.places.joined(separator: ", "))"
        return FoundLink(
            url: item.url,
            apps: finding.apps,
            isPinned: item.pinnedAt != nil,
            sharedAt: item.sharedAt,
            conversations: item.messages.compactMap { messageStore.messages[$0]?.conversation },
            explanation: "\(matchSentence); \(orderSentence)"
        )
    }
}

/// A link that a search found, in one app or several.
private struct LinkFinding: Comparable {
    let item: ShelfItem
    let apps: [BundleIdentifier]
    let places: [String]

    static func < (left: Self, right: Self) -> Bool {
        sortKey(of: left.item) < sortKey(of: right.item)
    }

    static func sortKey(of item: ShelfItem) -> SortKey {
        SortKey(
            item.pinnedAt == nil ? 1 : 0,
            -(item.pinnedAt ?? item.sharedAt).rawValue,
            tertiary: -item.sharedAt.rawValue,
            key: item.key
        )
    }

    static func == (left: Self, right: Self) -> Bool {
        left.item == right.item && left.apps == right.apps
    }
}
