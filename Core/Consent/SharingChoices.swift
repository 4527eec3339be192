internal import HashTreeCollections
internal import WaypostSchema

/// The scopes for which sharing is off, each with the time at which it was turned off.
///
/// If sharing was turned on again, nothing is stored, as if it had never been off.
struct SharingChoices: Sendable, Equatable, Codable {
    /// The time when sharing was turned off everywhere; `nil` if it is on.
    private(set) var offEverywhere: EventMoment?

    /// The times at which sharing was turned off for apps.
    private(set) var offApps: TreeDictionary<BundleIdentifier, EventMoment> = [:]

    /// The times at which sharing was turned off for conversations.
    private(set) var offConversations: TreeDictionary<ConversationID, EventMoment> = [:]

    /// Turns sharing for `scope` off at a moment, or on if the moment is `nil`.
    mutating func set(_ scope: SharingScope, offSince moment: EventMoment?) {
        switch scope {
        case .everywhere: offEverywhere = moment
        case .app(let app): offApps[app] = moment
        case .conversation(let conversation): offConversations[conversation] = moment
        }
    }
}

/// The latest choice about automatic sharing with an app.
struct AutomaticSharing: Sendable, Equatable, Codable {
    /// Whether it is on.
    var isOn: Bool

    /// The time of the choice.
    var moment: EventMoment
}
