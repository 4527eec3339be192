internal import WaypostSchema

/// A link in a message that somebody else sent; it can become an item of a list.
struct Share: Sendable, Codable {
    let message: MessageID
    let sender: CanonicalHandle

    /// The URL that the app receives: as it was sent, or the URL that it was resolved to.
    let url: String

    let sentAt: Timestamp

    /// The time since when the message has had its links.
    ///
    /// An edit sets it only if the text is still new or the links changed.
    let changedAt: Timestamp

    /// The number of the event with which the message got the link.
    let eventNumber: Int

    /// The number of the share in the order of arrival.
    let arrival: Int

    /// Returns whether this share is later than another one: sent later, or in the same millisecond and arrived later.
    func isLater(than other: Share) -> Bool {
        sentAt == other.sentAt ? arrival > other.arrival : sentAt > other.sentAt
    }
}

/// The shares of one link in one conversation.
struct ConversationShares: Sendable, Codable {
    let conversation: ConversationID

    /// The shares from others, the latest last; only the latest one can surface.
    private(set) var shares: [Share] = []

    /// The time since when the conversation has had the link: the earliest `changedAt` of its shares.
    private(set) var since: Timestamp?

    /// The messages in which the user sent the link.
    private(set) var ownMessages: Set<MessageID> = []

    init(_ conversation: ConversationID) {
        self.conversation = conversation
    }

    var isEmpty: Bool {
        shares.isEmpty && ownMessages.isEmpty
    }

    mutating func add(_ share: Share) {
        since = since.map { min($0, share.changedAt) } ?? share.changedAt
        // Messages usually arrive in the order in which they were sent.
        guard let last = shares.last, !share.isLater(than: last) else {
            shares.append(share)
            return
        }
        shares.insert(share, at: insertionIndex(of: share))
    }

    mutating func addOwn(_ message: MessageID) {
        ownMessages.insert(message)
    }

    mutating func remove(_ message: MessageID, sentAt: Timestamp) {
        ownMessages.remove(message)
        guard let index = index(of: message, sentAt: sentAt) else { return }
        let share = shares.remove(at: index)
        if share.changedAt == since { since = shares.lazy.map(\.changedAt).min() }
    }

    private func index(of message: MessageID, sentAt: Timestamp) -> Int? {
        if let last = shares.indices.last, shares[last].message == message { return last }
        let start = firstIndex { $0.sentAt >= sentAt }
        return shares[start...].prefix { $0.sentAt == sentAt }.firstIndex { $0.message == message }
    }

    private func insertionIndex(of share: Share) -> Int {
        firstIndex { $0.isLater(than: share) }
    }

    /// Returns the index of the first share for which `isAfter` is true.
    ///
    /// - Precondition: if `isAfter` is true for a share, it is true for all shares after it.
    private func firstIndex(where isAfter: (Share) -> Bool) -> Int {
        var (low, high) = (shares.startIndex, shares.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(shares[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// All messages with one link, by conversation.
struct LinkRecord: Sendable, Codable {
    /// The host of the link's key.
    let host: String

    private(set) var conversations: [ConversationShares] = []

    /// A number that increases when the shares, or the contacts who sent them, change.
    private(set) var revision = 0

    init(host: String) {
        self.host = host
    }

    var isEmpty: Bool {
        conversations.isEmpty
    }

    /// Records that a contact in one of the conversations changed.
    mutating func incrementRevision() {
        revision += 1
    }

    /// Removes the shares of a conversation.
    mutating func remove(_ conversation: ConversationID) {
        conversations.removeAll { $0.conversation == conversation }
        revision += 1
    }

    mutating func update(_ conversation: ConversationID, _ change: (inout ConversationShares) -> Void) {
        let existingIndex = conversations.firstIndex { $0.conversation == conversation }
        if existingIndex == nil { conversations.append(ConversationShares(conversation)) }
        let index = existingIndex ?? conversations.endIndex - 1
        change(&conversations[index])
        if conversations[index].isEmpty { conversations.remove(at: index) }
        revision += 1
    }
}
