/// A button below a notification (`UNNotificationAction`, `UNTextInputNotificationAction`).
public struct NotificationAction: Codable, Sendable, Equatable {
    /// The behaviors of an action (`UNNotificationActionOptions`).
    public enum Option: String, StringEnum {
        /// A scene of the app opens.
        case foreground

        /// The title is drawn as a warning.
        case destructive

        /// The device must be unlocked.
        case authenticationRequired
    }

    /// The identifier that the app receives.
    public var identifier: String

    /// The title of the button.
    public var title: String

    /// The behaviors; absent for none.
    public var options: [Option]?

    /// The title of the button beside the text field; absent for an action without text.
    public var textInputButtonTitle: String?

    /// The text in the empty field; absent for none.
    public var textInputPlaceholder: String?

    /// Creates the value from its parts.
    public init(
        identifier: String,
        title: String,
        options: [Option]? = nil,
        textInputButtonTitle: String? = nil,
        textInputPlaceholder: String? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.textInputButtonTitle = textInputButtonTitle
        self.textInputPlaceholder = textInputPlaceholder
    }
}
