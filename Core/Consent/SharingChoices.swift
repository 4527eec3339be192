internal import HashTreeCollections
internal import WaypostSchema

/// What was turned off and when; what was turned on again is not there, as though it had never been off.
struct SharingChoices: Sendable, Equatable, Codable {
    /// When sharing was turned off everywhere; `nil` where it is on.
    private(set) var offEverywhere: ChoiceMoment?

    private var offApps: TreeDictionary<BundleIdentifier, ChoiceMoment> = [:]
    private var offConversations: TreeDictionary<ConversationID, ChoiceMoment> = [:]

    /// When sharing was turned off for `app`; `nil` where it is on.
    func off(_ app: BundleIdentifier) -> ChoiceMoment? {
        offApps[app]
    }

    /// When sharing was turned off for `conversation`; `nil` where it is on.
    func off(_ conversation: ConversationID) -> ChoiceMoment? {
        offConversations[conversation]
    }

    /// Turns sharing on for `scope`, with `nil`, or off at a moment.
    mutating func set(_ scope: SharingScope, offSince moment: ChoiceMoment?) {
        switch scope {
        case .everywhere: offEverywhere = moment
        case .app(let app): offApps[app] = moment
        case .conversation(let conversation): offConversations[conversation] = moment
        }
    }
}

/// What was chosen last for automatic sharing with an app.
struct AutomaticSharing: Sendable, Equatable, Codable {
    /// Whether it is on.
    var isOn: Bool

    /// When that was chosen.
    var moment: ChoiceMoment
}
