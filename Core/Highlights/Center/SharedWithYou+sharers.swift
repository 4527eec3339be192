internal import HashTreeCollections
public import WaypostSchema

/// Who is behind an app's highlights: what the device draws, and no app may know.
extension SharedWithYou {
    /// Returns a link that an app has a highlight of, with those who shared it.
    ///
    /// Only conversations that the link surfaces from are in it. In each of them everybody counts who sent the link, whatever
    /// became of the highlight since then.
    ///
    /// - Parameters:
    ///   - url: the URL; one that is about the same content will do.
    ///   - app: the app.
    /// - Returns: the link; `nil` where the app has no highlight for it.
    public func sharedLink(_ url: String, of app: BundleIdentifier) -> SharedLink? {
        guard let center = centers[app], center.isLoaded, let key = messageStore.content(of: url)?.key,
            let item = center.shelf.items[key]
        else { return nil }
        let groups = messageStore.links[key]?.conversations ?? []
        let conversations = item.messages.compactMap { message in
            let conversation = messageStore.messages[message]?.conversation
            return groups.first { $0.conversation == conversation }.map(shared)
        }
        return SharedLink(url: item.url, isPinned: item.pinnedAt != nil, conversations: conversations)
    }

    /// Returns what tells whether `sharedLink` may be another one than before, but for who takes part in conversations.
    ///
    /// - Parameters:
    ///   - key: what the link is about.
    ///   - app: the app.
    /// - Returns: a value that is the same while the people, the pin and the URL are; `nil` where the app has no highlight.
    package func revision(of key: ContentKey, in app: BundleIdentifier) -> SharedLinkRevision? {
        guard let center = centers[app], center.isLoaded, let item = center.shelf.items[key] else { return nil }
        return SharedLinkRevision(
            shares: messageStore.links[key]?.revision ?? 0,
            messages: item.messages,
            url: item.url,
            isPinned: item.pinnedAt != nil
        )
    }

    /// Returns what a URL is about; `nil` where it is none of the web.
    package func contentKey(of url: String) -> ContentKey? {
        messageStore.content(of: url)?.key
    }

    /// Returns of which highlight a view in a window of an app is, and the display context with which it came there.
    package func attachedView(
        _ view: AttributionViewID,
        of app: BundleIdentifier
    ) -> (highlight: HighlightID, displayContext: DisplayContext)? {
        centers[app]?.views[view].map { (HighlightID($0.key, of: app), $0.displayContext) }
    }

    /// Returns whether there is such a conversation.
    package func has(_ conversation: ConversationID) -> Bool {
        messageStore.conversations[conversation] != nil
    }

    private func shared(_ group: ConversationShares) -> SharedConversation {
        let stored = messageStore.conversations[group.conversation]
        let participants =
            stored?.declared?.participants ?? stored?.participants.map { Handle(rawValue: $0.text) } ?? []
        return SharedConversation(
            id: group.conversation,
            name: stored?.declared?.name,
            participants: participants.map(person),
            sharers: sharers(in: group)
        )
    }

    /// Returns who sent a link in a conversation, whoever did so last first; with several handles on one card they are one.
    private func sharers(in group: ConversationShares) -> [Sharer] {
        var (seen, cards): (Set<CanonicalHandle>, Set<ContactID>) = ([], [])
        var sharers: [Sharer] = []
        for share in group.shares.reversed() where seen.insert(share.sender).inserted {
            let handle = messageStore.messages[share.message]?.sender ?? Handle(rawValue: share.sender.text)
            let person = person(handle)
            if person.contact.map({ cards.insert($0.id).inserted }) ?? true {
                sharers.append(Sharer(person: person, sharedAt: share.sentAt))
            }
            // Somebody who sends one link over and over does not make this longer.
            if seen.count == group.senders.count { break }
        }
        return sharers
    }

    private func person(_ handle: Handle) -> Person {
        let contact = messageStore.contacts.contact(for: CanonicalHandle(handle)).flatMap { messageStore.contacts[$0] }
        return Person(handle: handle, contact: contact)
    }
}

/// Which of its states a link is in, to tell it from a later one at little cost.
package struct SharedLinkRevision: Sendable, Equatable, Codable {
    fileprivate let shares: Int
    fileprivate let messages: [MessageID]
    fileprivate let url: String
    fileprivate let isPinned: Bool
}
