internal import HashTreeCollections
public import WaypostSchema

/// The people who shared an app's highlights: the device draws them, and apps must not learn them.
extension SharedWithYou {
    /// Returns a link for which an app has a highlight, with the people who shared it.
    ///
    /// It has only the conversations from which the link surfaces, each with the sender of the latest message: earlier
    /// messages with the link are superseded.
    ///
    /// - Parameters:
    ///   - url: the URL, or another URL with the same content key.
    ///   - app: the app.
    /// - Returns: the link; `nil` if the app has no highlight for it.
    public func sharedLink(_ url: String, of app: BundleIdentifier) -> SharedLink? {
        guard let center = centers[app], center.isLoaded, let key = messageStore.content(of: url)?.key,
            let item = center.shelf.items[key]
        else { return nil }
        let groups = messageStore.links[key]?.conversations ?? []
        let conversations = item.messages.compactMap { message in
            let conversation = messageStore.messages[message]?.conversation
            return groups.first { $0.conversation == conversation }.map(sharedConversation)
        }
        return SharedLink(url: item.url, isPinned: item.pinnedAt != nil, conversations: conversations)
    }

    /// Returns a value that changes whenever the result of `sharedLink` may change.
    ///
    /// It does not cover changes of a conversation's participants.
    ///
    /// - Parameters:
    ///   - key: the content key of the link.
    ///   - app: the app.
    /// - Returns: a value that stays the same as long as the people, the pin and the URL do; `nil` if the app has no
    ///   highlight.
    package func revision(of key: ContentKey, in app: BundleIdentifier) -> SharedLinkRevision? {
        guard let center = centers[app], center.isLoaded, let item = center.shelf.items[key] else { return nil }
        return SharedLinkRevision(
            shares: messageStore.links[key]?.revision ?? 0,
            messages: item.messages,
            url: item.url,
            isPinned: item.pinnedAt != nil
        )
    }

    /// Returns the content key of a URL; `nil` if it is not a web URL.
    package func contentKey(of url: String) -> ContentKey? {
        messageStore.content(of: url)?.key
    }

    /// Returns the highlight of a view in one of the app's windows, and the display context that it was attached with.
    package func attachedView(
        _ view: AttributionViewID,
        of app: BundleIdentifier
    ) -> (highlight: HighlightID, displayContext: DisplayContext)? {
        centers[app]?.views[view].map { (HighlightID($0.key, of: app), $0.displayContext) }
    }

    /// Returns whether the device has a conversation.
    package func hasConversation(_ conversation: ConversationID) -> Bool {
        messageStore.conversations[conversation] != nil
    }

    private func sharedConversation(_ group: ConversationShares) -> SharedConversation {
        let conversation = messageStore.conversations[group.conversation]
        return SharedConversation(
            id: group.conversation,
            name: conversation?.declared?.name,
            participants: otherParticipants(of: group.conversation).map(person),
            sharers: group.shares.last.map { [sharer($0)] } ?? []
        )
    }

    private func sharer(_ share: Share) -> Sharer {
        let handle = messageStore.messages[share.message]?.sender ?? Handle(rawValue: share.sender.text)
        return Sharer(person: person(handle), sharedAt: share.sentAt)
    }

    private func person(_ handle: Handle) -> Person {
        let contact = messageStore.contacts.contact(for: CanonicalHandle(handle)).flatMap { messageStore.contacts[$0] }
        return Person(handle: handle, contact: contact)
    }
}

/// A cheap fingerprint of a link's sharers and pin, used to detect changes.
package struct SharedLinkRevision: Sendable, Equatable, Codable {
    fileprivate let shares: Int
    fileprivate let messages: [MessageID]
    fileprivate let url: String
    fileprivate let isPinned: Bool
}
