/// Why a link is, or is not, among an app's highlights: what a person may ask, and no app.
public struct LinkExplanation: Codable, Sendable, Equatable {
    /// The URL that was asked about.
    public var url: String

    /// The app that was asked about.
    public var app: BundleIdentifier

    /// What the link is about; absent where it is no URL of the web.
    public var key: ContentKey?

    /// Whether the app has it among its highlights.
    public var isSurfaced: Bool

    /// The gate that stopped it: the first that failed; absent where none did.
    public var decidedBy: SurfacingGate?

    /// How each gate answered for the message that came furthest, in their order.
    public var gates: [GateVerdict]

    /// The message that came furthest; absent where no message has the link.
    public var message: MessageID?

    /// Every message with the link, the newest first, at most 20: how far each came.
    public var messages: [MessageVerdict]

    /// Where it stands in the list and why; absent where it is not in it.
    public var rank: HighlightRank?

    /// Creates the value from its parts.
    public init(
        url: String,
        app: BundleIdentifier,
        key: ContentKey? = nil,
        isSurfaced: Bool,
        decidedBy: SurfacingGate? = nil,
        gates: [GateVerdict],
        message: MessageID? = nil,
        messages: [MessageVerdict] = [],
        rank: HighlightRank? = nil
    ) {
        self.url = url
        self.app = app
        self.key = key
        self.isSurfaced = isSurfaced
        self.decidedBy = decidedBy
        self.gates = gates
        self.message = message
        self.messages = messages
        self.rank = rank
    }
}

/// How far one message's link came.
public struct MessageVerdict: Codable, Sendable, Equatable {
    /// The message.
    public var message: MessageID

    /// The conversation it is in.
    public var conversation: ConversationID

    /// Who sent it; absent for the person.
    public var sender: Handle?

    /// When it was sent, as far as that counts.
    public var sentAt: Timestamp

    /// The URL, as it was sent.
    public var url: String

    /// The first gate that failed; absent where none did.
    public var decidedBy: SurfacingGate?

    /// Creates the value from its parts.
    public init(
        message: MessageID,
        conversation: ConversationID,
        sender: Handle? = nil,
        sentAt: Timestamp,
        url: String,
        decidedBy: SurfacingGate? = nil
    ) {
        self.message = message
        self.conversation = conversation
        self.sender = sender
        self.sentAt = sentAt
        self.url = url
        self.decidedBy = decidedBy
    }
}
