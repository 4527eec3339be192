internal import Consent
internal import HashTreeCollections
internal import UniversalLinks
public import WaypostSchema

extension SharedWithYou {
    /// Returns why a link is, or is not, among an app's highlights.
    ///
    ///     let app = AppDescription(bundleIdentifier: "tv", sharedWithYou: true, scenes: [])
    ///     let device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app]))
    ///     let explanation = device.sharing.explanation(of: "https://tv.example/lasso", for: "tv")
    ///
    /// - Parameters:
    ///   - url: the link's URL, or another URL with the same content key.
    ///   - app: the app; if it is not on the device, the explanation says so.
    /// - Returns: the answer of each gate, and the link's position in the list.
    /// - Complexity: O(messages with the link), or O(length of all texts) if no message contains the link.
    public func explanation(of url: String, for app: BundleIdentifier) -> LinkExplanation {
        LinkInquiry(sharing: self, url: url, app: app).explanation
    }
}

/// An inquiry into why a link is, or is not, among an app's highlights.
struct LinkInquiry {
    /// The maximum number of messages in an explanation.
    static let maximumMessages = 20

    let sharing: SharedWithYou
    let url: String
    let app: BundleIdentifier

    /// The content of the URL; `nil` if the URL has no content key.
    let content: LinkContent?

    init(sharing: SharedWithYou, url: String, app: BundleIdentifier) {
        self.sharing = sharing
        self.url = url
        self.app = app
        // A link that was sent with www. can be looked up without a scheme.
        content =
            sharing.messageStore.content(of: url)
            ?? sharing.messageStore.content(of: "https://\(url)").flatMap { content in
                sharing.messageStore.links[content.key] == nil ? nil : content
            }
    }

    var explanation: LinkExplanation {
        let candidates = candidates.map { ($0, GateInquiry(self, $0).verdicts) }
        // The explanation describes the message that passed the most gates; among equals, the latest one.
        let best = candidates.max { left, right in
            (left.1.progress, left.0.sentAt, left.0.message.arrival)
                < (right.1.progress, right.0.sentAt, right.0.message.arrival)
        }
        let verdicts = best?.1 ?? GateInquiry(self, nil).verdicts
        return LinkExplanation(
            url: url,
            app: app,
            key: content?.key,
            isSurfaced: isSurfaced,
            decidedBy: verdicts.decidingGate,
            gates: verdicts,
            message: best?.0.messageID,
            messages: candidates.map { $0.0.verdict(decidedBy: $0.1.decidingGate) },
            rank: isSurfaced ? rank : nil
        )
    }

    /// The messages with the link, at most `maximumMessages`.
    ///
    /// The messages of the item come first, then the latest message of each other conversation, then all others.
    private var candidates: [LinkCandidate] {
        guard let content, let record = sharing.messageStore.links[content.key] else { return [] }
        let groups = record.conversations
        let latest = groups.compactMap(\.shares.last?.message)
        let others = groups.flatMap { group in
            group.shares.dropLast().suffix(Self.maximumMessages).map(\.message)
                + Self.latestFirst(group.ownMessages.compactMap(candidate)).prefix(Self.maximumMessages)
                .map(\.messageID)
        }
        let shown = item?.messages ?? []
        let ordered = [shown, latest.filter { !shown.contains($0) }, others].flatMap { messages in
            Self.latestFirst(messages.compactMap(candidate))
        }
        return Self.latestFirst(Array(ordered.prefix(Self.maximumMessages)))
    }

    private func candidate(_ id: MessageID) -> LinkCandidate? {
        guard let message = sharing.messageStore.messages[id],
            let link = message.links.first(where: { $0.content.key == content?.key })
        else { return nil }
        return LinkCandidate(messageID: id, message: message, link: link)
    }

    private static func latestFirst(_ candidates: [LinkCandidate]) -> [LinkCandidate] {
        candidates.sorted { ($0.sentAt, $0.message.arrival) > ($1.sentAt, $1.message.arrival) }
    }

    /// Whether the link is among the app's highlights.
    ///
    /// The list decides; the gates only explain the result.
    private var isSurfaced: Bool {
        item != nil && sharing.centers[app]?.isLoaded == true
    }

    /// The link's item in the app's list.
    var item: ShelfItem? {
        content.flatMap { sharing.centers[app]?.shelf.items[$0.key] }
    }

    private var rank: HighlightRank? {
        guard let item, let center = sharing.centers[app] else { return nil }
        return sharing.rank(of: item, in: center)
    }
}

/// A message that contains the link of the inquiry.
struct LinkCandidate {
    let messageID: MessageID
    let message: StoredMessage
    let link: StoredLink

    var sentAt: Timestamp {
        message.sentAt
    }

    func verdict(decidedBy gate: SurfacingGate?) -> MessageVerdict {
        MessageVerdict(
            message: messageID,
            conversation: message.conversation,
            sender: message.sender,
            sentAt: sentAt,
            url: link.url,
            decidedBy: gate
        )
    }
}

extension [GateVerdict] {
    /// The gate that stopped the link.
    ///
    /// The curation gate never stops a link: it only keeps the link from the first place.
    var decidingGate: SurfacingGate? {
        first { $0.status == .fail && $0.gate != .curation }?.gate
    }

    /// The number of gates that the link passed before one stopped it.
    fileprivate var progress: Int {
        firstIndex { $0.status == .fail && $0.gate != .curation } ?? endIndex
    }
}
