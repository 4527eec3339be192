/// An activation: what brought a scene to the front, kept until a process of the app receives it.
///
/// It never contains contacts or messages; everything in it, including the notification, belongs to the app.
public struct SceneActivation: Codable, Sendable, Equatable {
    /// The number on the device; later activations have greater numbers.
    public var number: Int

    /// The scene.
    public var scene: SceneIdentifier

    /// Whether the scene was created for the activation.
    public var isNewScene: Bool

    /// The notification that the user opened.
    public var notification: NotificationResponse?

    /// The quick action that the user performed.
    public var shortcutItem: ShortcutItem?

    /// The activity to continue in the scene; for a universal link, one of the type `NSUserActivityTypeBrowsingWeb`.
    public var userActivity: UserActivity?

    /// Creates the value from its parts.
    public init(
        number: Int,
        scene: SceneIdentifier,
        isNewScene: Bool = false,
        notification: NotificationResponse? = nil,
        shortcutItem: ShortcutItem? = nil,
        userActivity: UserActivity? = nil
    ) {
        self.number = number
        self.scene = scene
        self.isNewScene = isNewScene
        self.notification = notification
        self.shortcutItem = shortcutItem
        self.userActivity = userActivity
    }
}

/// A notification as its app receives it, with the action that the user chose (`UNNotificationResponse`).
public struct NotificationResponse: Codable, Sendable, Equatable {
    /// The notification's identifier.
    public var id: NotificationID

    /// The payload that the provider sent.
    public var payload: JSONValue

    /// The action that the user chose; absent if the user tapped the notification.
    public var actionIdentifier: String?

    /// The text that the user entered; absent for an action without text.
    public var userText: String?

    /// Creates the value from its parts.
    public init(
        id: NotificationID,
        payload: JSONValue,
        actionIdentifier: String? = nil,
        userText: String? = nil
    ) {
        self.id = id
        self.payload = payload
        self.actionIdentifier = actionIdentifier
        self.userText = userText
    }
}

/// A scene that was brought to the front, and the reason for its choice.
public struct OpenedScene: Codable, Sendable, Equatable {
    /// The device's name.
    public var device: String

    /// The app.
    public var app: BundleIdentifier

    /// The activation that the app receives.
    public var activation: SceneActivation

    /// The choice of the scene; absent if the request named the scene.
    public var decision: SceneDecision?

    /// Creates the value from its parts.
    public init(
        device: String,
        app: BundleIdentifier,
        activation: SceneActivation,
        decision: SceneDecision? = nil
    ) {
        self.device = device
        self.app = app
        self.activation = activation
        self.decision = decision
    }
}

/// The result of opening a URL, and its reason.
public struct OpenedURL: Codable, Sendable, Equatable {
    /// The destinations of a URL.
    public enum Destination: String, StringChoice {
        /// An app, because the URL is a universal link of the app.
        case app

        /// The website, in the browser.
        case website
    }

    /// The URL.
    public var url: String

    /// The destination.
    public var destination: Destination

    /// A human-readable reason.
    public var explanation: String

    /// The scene of the app, and the reason for its choice; absent if the website opened.
    public var opened: OpenedScene?

    /// The decisions about the URL as a universal link, one for each app that has associated domains.
    public var links: [LinkDecision]

    /// Creates the value from its parts.
    public init(
        url: String,
        destination: Destination,
        explanation: String,
        opened: OpenedScene? = nil,
        links: [LinkDecision]
    ) {
        self.url = url
        self.destination = destination
        self.explanation = explanation
        self.opened = opened
        self.links = links
    }
}

/// A scene that left the foreground.
public struct SceneDeparture: Codable, Sendable, Equatable {
    /// The states of a scene that left.
    public enum State: String, StringChoice {
        /// The scene is in the background.
        case background

        /// The scene is not in memory; its session is kept.
        case disconnected

        /// The scene's session was removed.
        case closed
    }

    /// The app.
    public var app: BundleIdentifier

    /// The scene.
    public var scene: SceneIdentifier

    /// The new state.
    public var state: State

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, scene: SceneIdentifier, state: State) {
        self.app = app
        self.scene = scene
        self.state = state
    }
}
