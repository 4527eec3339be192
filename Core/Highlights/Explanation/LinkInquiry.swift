internal import Consent
internal import HashTreeCollections
internal import UniversalLinks
public import WaypostSchema

extension SharedWithYou {
    /// Returns why a link is, or is not, among an app's highlights.
    ///
    /// - Parameters:
    ///   - url: the link's URL; one that is about the same content will do.
    ///   - app: the app; one that is not on the device is an answer too.
    /// - Returns: how each gate answers, and where the link stands in the list.
    /// - Complexity: O(messages) where no message has the link, as texts are looked through then; else of those with it.
    public func explanation(of url: String, for app: BundleIdentifier) -> LinkExplanation {
        LinkInquiry(device: self, url: url, app: app).explanation
    }
}

/// The question why a link is, or is not, among an app's highlights.
struct LinkInquiry {
    /// How many messages are told of.
    static let messageLimit = 20

    let device: SharedWithYou
    let url: String
    let app: BundleIdentifier

    /// What the URL is about; `nil` where that cannot be told.
    let content: LinkContent?

    init(device: SharedWithYou, url: String, app: BundleIdentifier) {
        self.device = device
        self.url = url
        self.app = app
        // Who asks for a link that was sent with www. asks as it was sent.
        content =
            device.messageStore.content(of: url)
            ?? device.messageStore.content(of: "https://\(url)").flatMap { content in
                device.messageStore.links[content.key] == nil ? nil : content
            }
    }

    var explanation: LinkExplanation {
        let candidates = candidates.map { ($0, GateInquiry(self, $0).verdicts) }
        // The message that came furthest stands for the link; of several the latest.
        let best = candidates.max { left, right in
            (left.1.progress, left.0.sentAt, left.0.message.rawValue)
                < (right.1.progress, right.0.sentAt, right.0.message.rawValue)
        }
        let verdicts = best?.1 ?? GateInquiry(self, nil).verdicts
        return LinkExplanation(
            url: url,
            app: app,
            key: content?.key,
            isSurfaced: isSurfaced,
            decidedBy: verdicts.decidingGate,
            gates: verdicts,
            message: best?.0.message,
            messages: candidates.map { $0.0.verdict(decidedBy: $0.1.decidingGate) },
            rank: isSurfaced ? rank : nil
        )
    }

    /// The messages with the link, as many as are told of: first those that make up the item, then the latest of the other
    /// conversations, then the others.
    private var candidates: [LinkCandidate] {
        guard let content, let record = device.messageStore.links[content.key] else { return [] }
        let groups = record.conversations
        let latest = groups.compactMap(\.shares.last?.message)
        let others = groups.flatMap { group in
            group.shares.dropLast().suffix(Self.messageLimit).map(\.message)
                + group.ownMessages.sorted { $0.rawValue > $1.rawValue }.prefix(Self.messageLimit)
        }
        let shown = item?.messages ?? []
        let told = [shown, latest.filter { !shown.contains($0) }, others].flatMap { messages in
            Self.latestFirst(messages.compactMap(candidate))
        }
        return Self.latestFirst(Array(told.prefix(Self.messageLimit)))
    }

    private func candidate(_ id: MessageID) -> LinkCandidate? {
        guard let message = device.messageStore.messages[id],
            let link = message.links.first(where: { $0.content.key == content?.key })
        else { return nil }
        return LinkCandidate(message: id, stored: message, link: link)
    }

    private static func latestFirst(_ candidates: [LinkCandidate]) -> [LinkCandidate] {
        candidates.sorted { ($0.sentAt, $0.message.rawValue) > ($1.sentAt, $1.message.rawValue) }
    }

    /// Whether the app has the link among its highlights: what the list says, for which the gates are the reasons.
    private var isSurfaced: Bool {
        item != nil && device.centers[app]?.isLoaded == true
    }

    /// The link's item in the app's list.
    var item: ShelfItem? {
        content.flatMap { device.centers[app]?.shelf.items[$0.key] }
    }

    private var rank: HighlightRank? {
        guard let item, let center = device.centers[app] else { return nil }
        return device.rank(of: item, in: center)
    }
}

/// A message with the link that is asked about.
struct LinkCandidate {
    let message: MessageID
    let stored: StoredMessage
    let link: StoredLink

    var sentAt: Timestamp {
        stored.sentAt
    }

    func verdict(decidedBy gate: SurfacingGate?) -> MessageVerdict {
        MessageVerdict(
            message: message,
            conversation: stored.conversation,
            sender: stored.sender,
            sentAt: sentAt,
            url: link.url,
            decidedBy: gate
        )
    }
}

extension [GateVerdict] {
    /// The gate that stopped the link; curation keeps a link from the first place only.
    var decidingGate: SurfacingGate? {
        first { $0.status == .fail && $0.gate != .curation }?.gate
    }

    /// How many gates were passed before the one that stopped the link.
    fileprivate var progress: Int {
        firstIndex { $0.status == .fail && $0.gate != .curation } ?? endIndex
    }
}
