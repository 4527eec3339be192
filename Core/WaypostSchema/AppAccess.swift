/// The credential with which a process of an app attaches; created when the app is installed.
public struct AppCredential: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The bearer token of the process (`Authorization: Bearer …`); it gives access only to this app on this device.
    public var credential: AgentSecret

    /// The base URL of the app API.
    public var apps: String

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, credential: AgentSecret, apps: String) {
        self.app = app
        self.credential = credential
        self.apps = apps
    }
}

/// An app of a device, as the control API lists it.
public struct AppStatus: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The app's name, as the user sees it.
    public var displayName: String

    /// Whether a process of the app is attached.
    public var isRunning: Bool

    /// The number of scenes of the app.
    public var scenes: Int

    /// The number of activations that wait for a process of the app.
    public var activations: Int

    /// The number on the app's icon; absent if it has no badge.
    public var badge: Int?

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        displayName: String,
        isRunning: Bool,
        scenes: Int,
        activations: Int,
        badge: Int? = nil
    ) {
        self.app = app
        self.displayName = displayName
        self.isRunning = isRunning
        self.scenes = scenes
        self.activations = activations
        self.badge = badge
    }
}

/// An app's request for an attribution view.
public struct AttributionRequest: Codable, Sendable, Equatable {
    /// The URL of the highlight.
    public var url: String

    /// The preferences for the view; the defaults if absent.
    public var preferences: AttributionPreferences?

    /// Creates the value from its parts.
    public init(url: String, preferences: AttributionPreferences? = nil) {
        self.url = url
        self.preferences = preferences
    }
}

/// A request to open a URL.
public struct URLToOpen: Codable, Sendable, Equatable {
    /// The URL.
    public var url: String

    /// The app in which the user followed the URL; absent for Messages, Mail and similar apps.
    public var from: BundleIdentifier?

    /// Creates the value from its parts.
    public init(url: String, from: BundleIdentifier? = nil) {
        self.url = url
        self.from = from
    }
}

/// A request for a scene, with or without an activity.
public struct SceneRequest: Codable, Sendable, Equatable {
    /// The activity that the scene is for; absent if it is for nothing in particular.
    public var activity: UserActivity?

    /// Creates the value from its parts.
    public init(activity: UserActivity? = nil) {
        self.activity = activity
    }
}

/// A request to hand off the activity of an app's scene to another device (Handoff).
public struct ActivityHandoff: Codable, Sendable, Equatable {
    /// The token of the other device.
    public var to: DeviceToken

    /// The scene; the frontmost scene if absent.
    public var scene: SceneIdentifier?

    /// Creates the value from its parts.
    public init(to: DeviceToken, scene: SceneIdentifier? = nil) {
        self.to = to
        self.scene = scene
    }
}

/// A request to take a named snapshot of a device.
public struct SnapshotRequest: Codable, Sendable, Equatable {
    /// The name; an existing snapshot of that name is replaced.
    public var name: String

    /// Creates the value from its parts.
    public init(name: String) {
        self.name = name
    }
}

/// A request to fork a device.
public struct DeviceFork: Codable, Sendable, Equatable {
    /// The name of the new device.
    public var name: String

    /// The snapshot to start from; the device's current state if absent.
    public var snapshot: String?

    /// Creates the value from its parts.
    public init(name: String, snapshot: String? = nil) {
        self.name = name
        self.snapshot = snapshot
    }
}

/// A request to reset a device.
public struct DeviceReset: Codable, Sendable, Equatable {
    /// The snapshot to restore; the device's description if absent.
    public var snapshot: String?

    /// Creates the value from its parts.
    public init(snapshot: String? = nil) {
        self.snapshot = snapshot
    }
}
