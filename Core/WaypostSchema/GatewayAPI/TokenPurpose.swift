/// The purpose of a token: the app that uses it, and the notifications that it is for.
///
/// A device without purposes has one token for all notifications of all its apps.
public struct TokenPurpose: Codable, Sendable, Hashable {
    /// The kinds of tokens, each of which a call of a framework returns.
    public enum Kind: String, StringEnum {
        /// Notifications of the app (`registerForRemoteNotifications()`).
        case app

        /// Incoming calls (`PKPushRegistry`, `.voIP`).
        case voip

        /// Transmissions of a channel that the app joined (`PTChannelManager`).
        case pushToTalk

        /// Queries of the location (`startMonitoringLocationPushes(completion:)`).
        case location

        /// Changes of files (`PKPushRegistry`, `.fileProvider`).
        case fileProvider

        /// Updates of complications (`PKPushRegistry`, `.complication`).
        case complication

        /// Starts of Live Activities of a type (`pushToStartTokenUpdates`).
        case pushToStart

        /// Updates of a Live Activity (`pushTokenUpdates`).
        case liveActivity

        /// Updates of all widgets of the app (`WidgetPushHandler`).
        case widgets

        /// Updates of a control (`ControlPushHandler`).
        case control
    }

    /// The kind.
    public var kind: Kind

    /// The app.
    public var app: BundleIdentifier

    /// The type of the Live Activities, the Live Activity, the channel or the control; `nil` for the other kinds.
    public var name: String?

    /// Creates the value from its parts.
    public init(_ kind: Kind, of app: BundleIdentifier, name: String? = nil) {
        self.kind = kind
        self.app = app
        self.name = name
    }
}
