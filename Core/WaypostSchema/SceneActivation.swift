/// What brought a scene to the front, for its app: kept until a process of the app has taken it.
///
/// It has no place for who sent what: a notification is the app's own, and so is everything else in it.
public struct SceneActivation: Codable, Sendable, Equatable {
    /// Its number on the device, which grows.
    public var number: Int

    /// The scene.
    public var scene: SceneIdentifier

    /// Whether the scene was made for it.
    public var isNewScene: Bool

    /// The notification that the person opened.
    public var notification: NotificationResponse?

    /// The quick action that the person performed.
    public var shortcutItem: ShortcutItem?

    /// The activity that goes on in the scene; for a universal link one of the type `NSUserActivityTypeBrowsingWeb`.
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

/// A notification that a person opened, as its app gets it (`UNNotificationResponse`).
public struct NotificationResponse: Codable, Sendable, Equatable {
    /// The notification's identifier.
    public var id: NotificationID

    /// What the provider sent.
    public var payload: JSONValue

    /// Creates the value from its parts.
    public init(id: NotificationID, payload: JSONValue) {
        self.id = id
        self.payload = payload
    }
}

/// A scene that came to the front on a device, and why that one.
public struct OpenedScene: Codable, Sendable, Equatable {
    /// The device's name.
    public var device: String

    /// The app.
    public var app: BundleIdentifier

    /// What the app is handed.
    public var activation: SceneActivation

    /// Which scene was chosen, and why; absent where the scene was named.
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

/// What became of a URL that a person opened, and why.
public struct OpenedURL: Codable, Sendable, Equatable {
    /// Where a URL opens.
    public enum Destination: String, StringChoice {
        /// An app that has it as a universal link.
        case app

        /// The website, in the browser.
        case website
    }

    /// The URL.
    public var url: String

    /// Where it opened.
    public var destination: Destination

    /// Why there, for a person.
    public var explanation: String

    /// The scene of the app, and why that one; absent where the website opened.
    public var opened: OpenedScene?

    /// Whether each app that has associated domains may be offered the URL, and why.
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

/// A scene that a person sees no more.
public struct SceneDeparture: Codable, Sendable, Equatable {
    /// How it went.
    public enum State: String, StringChoice {
        /// It is in the background.
        case background

        /// It is not in memory; its session is kept.
        case disconnected

        /// Its session is gone.
        case closed
    }

    /// The app.
    public var app: BundleIdentifier

    /// The scene.
    public var scene: SceneIdentifier

    /// How it went.
    public var state: State

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, scene: SceneIdentifier, state: State) {
        self.app = app
        self.scene = scene
        self.state = state
    }
}
