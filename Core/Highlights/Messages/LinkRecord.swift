internal import WaypostSchema

/// A link in a message of somebody else: what may become an item of a list.
struct Share: Sendable, Codable {
    let message: MessageID
    let sender: CanonicalHandle

    /// The URL that an app is handed: as it was sent, or what it was resolved to.
    let url: String

    let sentAt: Timestamp

    /// Since when the message has had its links, as far as that counts.
    let changedAt: Timestamp

    /// Whether the share is later than another: in one millisecond by URL and then by identifier, so that the order of
    /// arrival has no say.
    func isLater(than other: Share) -> Bool {
        if sentAt != other.sentAt { return sentAt > other.sentAt }
        return url == other.url ? message.rawValue > other.message.rawValue : url > other.url
    }
}

/// The shares of one link in one conversation.
struct ConversationShares: Sendable, Codable {
    let conversation: ConversationID

    /// Those of others, the latest last: it is the one that counts.
    private(set) var shares: [Share] = []

    /// Since when the conversation has had the link: by the message of others that has had it for the longest.
    private(set) var since: Timestamp?

    /// Who sent them, and how many each.
    private(set) var senders: [CanonicalHandle: Int] = [:]

    /// The messages in which the person sent the link themselves.
    private(set) var ownMessages: Set<MessageID> = []

    init(_ conversation: ConversationID) {
        self.conversation = conversation
    }

    var isEmpty: Bool {
        shares.isEmpty && ownMessages.isEmpty
    }

    mutating func add(_ share: Share) {
        senders[share.sender, default: 0] += 1
        since = since.map { min($0, share.changedAt) } ?? share.changedAt
        // Messages mostly come in the order in which they were sent.
        guard let last = shares.last, !share.isLater(than: last) else {
            shares.append(share)
            return
        }
        shares.insert(share, at: place(of: share))
    }

    mutating func addOwn(_ message: MessageID) {
        ownMessages.insert(message)
    }

    mutating func remove(_ message: MessageID, sentAt: Timestamp) {
        ownMessages.remove(message)
        guard let index = index(of: message, sentAt: sentAt) else { return }
        let share = shares.remove(at: index)
        senders[share.sender] = senders[share.sender].flatMap { $0 > 1 ? $0 - 1 : nil }
        if share.changedAt == since { since = shares.lazy.map(\.changedAt).min() }
    }

    private func index(of message: MessageID, sentAt: Timestamp) -> Int? {
        if let last = shares.indices.last, shares[last].message == message { return last }
        let start = firstIndex { $0.sentAt >= sentAt }
        return shares[start...].prefix { $0.sentAt == sentAt }.firstIndex { $0.message == message }
    }

    private func place(of share: Share) -> Int {
        firstIndex { $0.isLater(than: share) }
    }

    /// Returns the index of the first share for which `isAfter` holds; it holds for all behind one for which it does.
    private func firstIndex(where isAfter: (Share) -> Bool) -> Int {
        var (low, high) = (shares.startIndex, shares.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(shares[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Everything that was sent of one link.
struct LinkRecord: Sendable, Codable {
    /// The host of its key.
    let host: String

    private(set) var conversations: [ConversationShares] = []

    /// How often it changed, or who those are that sent it.
    private(set) var revision = 0

    init(host: String) {
        self.host = host
    }

    var isEmpty: Bool {
        conversations.isEmpty
    }

    /// Notes that somebody of its conversations is called otherwise.
    mutating func touch() {
        revision += 1
    }

    /// Takes away what was sent in a conversation.
    mutating func remove(_ conversation: ConversationID) {
        conversations.removeAll { $0.conversation == conversation }
        revision += 1
    }

    mutating func update(_ conversation: ConversationID, _ change: (inout ConversationShares) -> Void) {
        let known = conversations.firstIndex { $0.conversation == conversation }
        if known == nil { conversations.append(ConversationShares(conversation)) }
        let index = known ?? conversations.endIndex - 1
        change(&conversations[index])
        if conversations[index].isEmpty { conversations.remove(at: index) }
        revision += 1
    }
}
