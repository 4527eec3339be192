internal import Consent
internal import HashTreeCollections
internal import UniversalLinks
internal import WaypostSchema

/// The messages and contacts of a device, and every link in the messages by its content key.
///
/// Each change returns the keys of the links that it may affect. Its cost depends on what the change is about (a
/// conversation, a contact), not on how much is already stored.
struct MessageStore: Sendable, Codable {
    private(set) var contacts = AddressBook()
    private(set) var messages = TreeDictionary<MessageID, StoredMessage>()
    private(set) var conversations = TreeDictionary<ConversationID, StoredConversation>()
    private(set) var links = TreeDictionary<ContentKey, LinkRecord>()
    private(set) var deleted = TreeSet<MessageID>()
    private(set) var keysByHost = TreeDictionary<String, TreeSet<ContentKey>>()

    /// The user's own handles: their messages are the user's, and they never count as participants who are contacts.
    private(set) var ownHandles: Set<CanonicalHandle> = []

    /// The number of messages that arrived.
    private var arrivalCount = 0
    private var resolutions = TreeDictionary<ContentKey, LinkContent>()
    private var conversationsByPerson = TreeDictionary<CanonicalHandle, TreeSet<ConversationID>>()

    // MARK: Content of a URL

    /// Returns the content of a URL after all resolutions; `nil` if it is not a web URL.
    func content(of url: String) -> LinkContent? {
        Self.sentContent(of: url).map(resolved)
    }

    /// Follows the resolutions of a content to the end; returns the content unchanged if it was not resolved.
    private func resolved(_ content: LinkContent) -> LinkContent {
        var content = content
        while let next = resolutions[content.key] { content = next }
        return content
    }

    /// Returns the content of a URL as it was sent, without resolutions.
    static func sentContent(of url: String) -> LinkContent? {
        guard let parsed = try? LinkURL(url) else { return nil }
        let canonical = CanonicalLink(parsed)
        return LinkContent(key: canonical.key, host: canonical.host, url: url)
    }

    /// Records that one URL resolves to another.
    ///
    /// The first resolution of a URL is kept, and no chain of resolutions may lead back to its start.
    ///
    /// - Returns: the key that the URL had before, and its key now.
    /// - Throws: `IgnoredEvent` if one of the URLs is not a web URL, if the URL is already resolved, or if it would
    ///   resolve to itself.
    mutating func resolve(_ url: String, to target: String) throws(IgnoredEvent) -> (from: ContentKey, to: ContentKey) {
        guard let short = Self.sentContent(of: url) else { throw .notAWebURL(url) }
        guard let content = content(of: target) else { throw .notAWebURL(target) }
        guard resolutions[short.key] == nil else { throw .resolvedBefore(url) }
        guard short.key != content.key else { throw .resolvedToItself(url) }
        resolutions[short.key] = content
        for group in links[short.key]?.conversations ?? [] {
            // Start with the latest: removing the last share takes constant time.
            for message in group.shares.reversed().map(\.message) + group.ownMessages { redetectLinks(in: message) }
        }
        return (short.key, content.key)
    }

    // MARK: Messages

    /// Stores a received message and returns the keys of the links that it may affect.
    ///
    /// - Throws: `IgnoredEvent` if the message was deleted, or received before.
    mutating func receive(_ message: Message, at moment: EventMoment) throws(IgnoredEvent) -> Set<ContentKey> {
        guard !deleted.contains(message.id) else { throw .deleted(message.id) }
        guard messages[message.id] == nil else { throw .repeated(message.id) }
        let sentAt = Timestamp(milliseconds: max(0, min(message.sentAt ?? moment.at, moment.at).rawValue))
        let stored = StoredMessage(
            conversation: message.conversation,
            sender: message.sender,
            sentAt: sentAt,
            arrival: arrivalCount,
            text: message.text,
            changedAt: sentAt,
            links: links(in: message.text, at: moment.eventNumber)
        )
        arrivalCount += 1
        messages[message.id] = stored
        var affectedKeys = recordSender(stored.sender, in: stored.conversation)
        addToIndexes(message.id, stored)
        affectedKeys.formUnion(stored.links.map(\.content.key))
        return affectedKeys
    }

    /// Replaces the text of a message.
    ///
    /// - Parameters:
    ///   - id: the message.
    ///   - text: the new text.
    ///   - moment: the time of the edit.
    ///   - editWindow: how long a text counts as new, in milliseconds. An edit restarts this period if it has not
    ///     ended, or if the links change.
    /// - Returns: the keys of the links that the edit may affect.
    /// - Throws: `IgnoredEvent` if there is no such message.
    mutating func edit(
        _ id: MessageID,
        text: String,
        at moment: EventMoment,
        editWindow: Int
    ) throws(IgnoredEvent) -> Set<ContentKey> {
        guard var stored = messages[id] else { throw .unknown(id) }
        let previousKeys = stored.links.map(\.content.key)
        removeFromIndexes(id, stored)
        stored.text = text
        stored.links = links(in: text, at: moment.eventNumber, keeping: stored.links)
        let isWithinEditWindow = moment.at.rawValue - stored.changedAt.rawValue < editWindow
        if isWithinEditWindow || Set(previousKeys) != Set(stored.links.map(\.content.key)) {
            stored.changedAt = moment.at
        }
        messages[id] = stored
        addToIndexes(id, stored)
        return Set(previousKeys).union(stored.links.map(\.content.key))
    }

    /// Deletes a message permanently and returns the keys of its links.
    ///
    /// - Throws: `IgnoredEvent` if there is no such message.
    mutating func delete(_ id: MessageID) throws(IgnoredEvent) -> Set<ContentKey> {
        guard let stored = messages.removeValue(forKey: id) else { throw .unknown(id) }
        removeFromIndexes(id, stored)
        deleted.insert(id)
        return Set(stored.links.map(\.content.key))
    }

    // MARK: Conversations and contacts

    /// Stores a conversation with its participants and returns the keys of its links.
    mutating func set(_ conversation: Conversation) -> Set<ContentKey> {
        conversations[conversation.id, default: StoredConversation()].declared = conversation
        for person in conversation.participants.map(CanonicalHandle.init) {
            conversationsByPerson[person, default: []].insert(conversation.id)
        }
        updateContact(in: conversation.id)
        return keys(of: conversation.id)
    }

    /// Deletes a conversation with its messages and returns the messages and the keys of their links.
    ///
    /// - Throws: `IgnoredEvent` if there is no such conversation.
    mutating func delete(_ id: ConversationID) throws(IgnoredEvent) -> (messages: [MessageID], keys: Set<ContentKey>) {
        guard let conversation = conversations[id] else { throw .unknown(id) }
        let keys = keys(of: id)
        for key in keys { changeRecord(of: key) { $0.remove(id) } }
        let deletedMessages = Array(conversation.linkMessages) + Array(conversation.plainMessages)
        for message in deletedMessages {
            messages[message] = nil
            deleted.insert(message)
        }
        for person in conversation.people { conversationsByPerson[person]?.remove(id) }
        conversations[id] = nil
        return (deletedMessages, keys)
    }

    /// Adds or replaces a contact card and returns the keys of the links that it may affect.
    mutating func set(_ contact: Contact) -> Set<ContentKey> {
        updateOwners(of: contacts.set(contact))
    }

    /// Removes a contact card and returns the keys of the links that this may affect.
    ///
    /// - Throws: `IgnoredEvent` if there is no such card.
    mutating func remove(_ id: ContactID) throws(IgnoredEvent) -> Set<ContentKey> {
        guard let handles = contacts.remove(id) else { throw .unknown(id) }
        return updateOwners(of: handles)
    }

    /// Sets the user's own handles, also for earlier messages.
    ///
    /// - Returns: the keys of the links that this may affect.
    mutating func setOwnHandles(_ handles: [Handle]) -> Set<ContentKey> {
        let previousHandles = ownHandles
        ownHandles = Set(handles.map(CanonicalHandle.init))
        let changedHandles = ownHandles.symmetricDifference(previousHandles)
        let affectedConversations = changedHandles.reduce(into: TreeSet<ConversationID>()) { conversations, handle in
            conversations.formUnion(conversationsByPerson[handle] ?? [])
        }
        for message in affectedConversations.flatMap({ Array(conversations[$0]?.linkMessages ?? []) }) {
            guard let stored = messages[message], let sender = stored.sender.map(CanonicalHandle.init),
                changedHandles.contains(sender)
            else { continue }
            removeFromIndexes(message, stored)
            addToIndexes(message, stored)
        }
        return updateOwners(of: changedHandles)
    }

    /// Returns whether the user sent a message, from this device or from another one.
    func isOwn(_ message: StoredMessage) -> Bool {
        guard let sender = message.sender else { return true }
        return !ownHandles.isEmpty && ownHandles.contains(CanonicalHandle(sender))
    }

    /// Returns the participants of a conversation without the user.
    func otherParticipants(of conversation: StoredConversation) -> [CanonicalHandle] {
        conversation.participants.filter { !ownHandles.contains($0) }
    }

    /// Returns the keys of a conversation's links.
    func keys(of conversation: ConversationID) -> Set<ContentKey> {
        guard let messageIDs = conversations[conversation]?.linkMessages else { return [] }
        return messageIDs.reduce(into: []) { keys, message in
            keys.formUnion(messages[message]?.links.map(\.content.key) ?? [])
        }
    }

    private mutating func updateOwners(of handles: Set<CanonicalHandle>) -> Set<ContentKey> {
        let affectedConversations = handles.reduce(into: Set<ConversationID>()) { affectedConversations, handle in
            affectedConversations.formUnion(conversationsByPerson[handle] ?? [])
        }
        for conversation in affectedConversations { updateContact(in: conversation) }
        let keys = affectedConversations.reduce(into: Set<ContentKey>()) { $0.formUnion(self.keys(of: $1)) }
        for key in keys { links[key]?.incrementRevision() }
        return keys
    }

    private mutating func updateContact(in id: ConversationID) {
        let others = conversations[id].map { otherParticipants(of: $0) } ?? []
        let contact = others.first { contacts.contact(for: $0) != nil }
        conversations[id]?.contact = contact
    }

    /// Records a sender in a conversation.
    ///
    /// - Returns: the keys of the conversation's links if the conversation now has a contact and had none, or the
    ///   reverse; otherwise an empty set.
    private mutating func recordSender(_ sender: Handle?, in id: ConversationID) -> Set<ContentKey> {
        guard let person = sender.map(CanonicalHandle.init) else { return [] }
        guard conversations[id]?.senders.contains(person) != true else { return [] }
        conversations[id, default: StoredConversation()].senders.insert(person)
        conversationsByPerson[person, default: []].insert(id)
        let previous = conversations[id]?.contact
        updateContact(in: id)
        return (previous == nil) == (conversations[id]?.contact == nil) ? [] : keys(of: id)
    }

    // MARK: Links

    /// Returns the links in a text that have a key, each key once.
    ///
    /// - Parameters:
    ///   - text: the text of a message.
    ///   - eventNumber: the number of the event with which the message got the text.
    ///   - previousLinks: the links of the message before; a link that stays keeps its number.
    /// - Returns: the links, in the order of the text.
    private func links(
        in text: String,
        at eventNumber: Int,
        keeping previousLinks: [StoredLink] = []
    ) -> [StoredLink] {
        var links: [StoredLink] = []
        for (index, link) in LinkDetector.links(in: text).enumerated() {
            guard let sent = Self.sentContent(of: link.url) else { continue }
            let content = resolved(sent)
            guard !links.contains(where: { $0.content.key == content.key }) else { continue }
            let previous = previousLinks.first { $0.content.key == content.key || $0.url == link.url }
            let eventNumber = previous?.eventNumber ?? eventNumber
            links.append(StoredLink(url: link.url, index: index, content: content, eventNumber: eventNumber))
        }
        return links
    }

    /// Detects the links of a message again.
    private mutating func redetectLinks(in id: MessageID) {
        guard var stored = messages[id] else { return }
        removeFromIndexes(id, stored)
        // Each link keeps its URL, so none of them is new.
        stored.links = links(in: stored.text, at: 0, keeping: stored.links)
        messages[id] = stored
        addToIndexes(id, stored)
    }

    private mutating func addToIndexes(_ id: MessageID, _ message: StoredMessage) {
        if message.links.isEmpty {
            conversations[message.conversation, default: StoredConversation()].plainMessages.insert(id)
        } else {
            conversations[message.conversation, default: StoredConversation()].linkMessages.insert(id)
        }
        let isOwnMessage = isOwn(message)
        for link in message.links {
            if links[link.content.key] == nil { keysByHost[link.content.host, default: []].insert(link.content.key) }
            let share = isOwnMessage ? nil : self.share(of: link, in: id, message)
            links[link.content.key, default: LinkRecord(host: link.content.host)].update(message.conversation) {
                group in
                guard let share else { return group.addOwn(id) }
                group.add(share)
            }
        }
    }

    /// Returns the share of a link in a message; `nil` if the message has no sender.
    private func share(of link: StoredLink, in id: MessageID, _ message: StoredMessage) -> Share? {
        message.sender.map { sender in
            Share(
                message: id,
                sender: CanonicalHandle(sender),
                url: link.content.url,
                sentAt: message.sentAt,
                changedAt: message.changedAt,
                eventNumber: link.eventNumber,
                // The links of one message count as if they had arrived one after the other.
                arrival: message.arrival * LinkDetector.maximumCount + link.index
            )
        }
    }

    private mutating func removeFromIndexes(_ id: MessageID, _ message: StoredMessage) {
        conversations[message.conversation]?.plainMessages.remove(id)
        conversations[message.conversation]?.linkMessages.remove(id)
        for link in message.links {
            changeRecord(of: link.content.key) { record in
                record.update(message.conversation) { $0.remove(id, sentAt: message.sentAt) }
            }
        }
    }

    /// Changes a link's record, and removes the record if it is empty afterwards.
    private mutating func changeRecord(of key: ContentKey, _ change: (inout LinkRecord) -> Void) {
        guard let host = links[key]?.host else { return }
        change(&links[key, default: LinkRecord(host: host)])
        guard links[key]?.isEmpty == true else { return }
        links[key] = nil
        keysByHost[host]?.remove(key)
        if keysByHost[host]?.isEmpty == true { keysByHost[host] = nil }
    }
}

extension MessageStore {
    /// Returns the latest message whose text contains a URL.
    ///
    /// The scheme is ignored. A URL that only begins with the given one does not match.
    ///
    /// - Complexity: O(length of all texts); it is only called for links that no message contains.
    func latestMessage(mentioning url: String) -> MessageID? {
        let pattern = Array(MessageSearch.withoutScheme(url).utf8)
        guard !pattern.isEmpty else { return nil }
        let matches = messages.filter { MessageSearch.contains(pattern, in: $0.value.text, asWholeURL: true) }
        return matches.max { ($0.value.sentAt, $0.value.arrival) < ($1.value.sentAt, $1.value.arrival) }?.key
    }
}
