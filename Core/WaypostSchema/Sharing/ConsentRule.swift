/// A rule that makes a link available to an app, or not, by the user's choices; `docs/consent.md` describes each.
public enum ConsentRule: String, StringEnum {
    /// Sharing is on everywhere.
    case onEverywhere

    /// Sharing is off everywhere.
    case offEverywhere

    /// The link is pinned, and the rules let a pin override every *off*.
    case pinnedAlways

    /// Sharing is on for the app.
    case onForApp

    /// Sharing is off for the app.
    case offForApp

    /// The link was pinned after sharing was turned off for the app.
    case pinnedAfterOffForApp

    /// Sharing is on for the conversation.
    case onInConversation

    /// Sharing is off for the conversation.
    case offInConversation

    /// The link was pinned in the conversation after sharing was turned off for it.
    case pinnedAfterOffInConversation

    /// The link is pinned, which gives permission.
    case pinned

    /// Automatic sharing is on for the app.
    case automaticSharing

    /// Automatic sharing is on for the app, but the link came before it was turned on.
    case beforeAutomaticSharing

    /// The link is not pinned and automatic sharing is off for the app.
    case noPermission

    /// The user did not remove the link.
    case notRemoved

    /// The user removed the link.
    case removed

    /// The link was pinned after it was removed.
    case pinnedAfterRemoval
}
