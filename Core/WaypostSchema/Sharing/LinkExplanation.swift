/// An explanation why a link is, or is not, among an app's highlights; for the user, never for an app.
public struct LinkExplanation: Codable, Sendable, Equatable {
    /// The URL of the query.
    public var url: String

    /// The app of the query.
    public var app: BundleIdentifier

    /// The content key of the link; absent if it is not a web URL.
    public var key: ContentKey?

    /// Whether the link is among the app's highlights.
    public var isSurfaced: Bool

    /// The first gate that failed; absent if none did.
    public var decidedBy: SurfacingGate?

    /// The verdicts of the gates on the message that got furthest, in order.
    public var gates: [GateVerdict]

    /// The message that got furthest; absent if no message has the link.
    public var message: MessageID?

    /// The verdicts on the messages with the link, the newest first, at most 20.
    public var messages: [MessageVerdict]

    /// The position in the list; absent if the link is not in it.
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
