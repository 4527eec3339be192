/// What a process of an app attaches with, made when the app is installed.
public struct AppCredential: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// What the process shows (`Authorization: Bearer …`); it opens this app's side of this device and nothing else.
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

    /// Its name, as the person sees it.
    public var displayName: String

    /// Whether a process of it is attached.
    public var isRunning: Bool

    /// How many scenes it has.
    public var scenes: Int

    /// How many activations wait for a process of it.
    public var activations: Int

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, displayName: String, isRunning: Bool, scenes: Int, activations: Int) {
        self.app = app
        self.displayName = displayName
        self.isRunning = isRunning
        self.scenes = scenes
        self.activations = activations
    }
}

/// A request of an app for an attribution view.
public struct AttributionRequest: Codable, Sendable, Equatable {
    /// The URL of the highlight.
    public var url: String

    /// What the app asks of the view; the defaults where absent.
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

    /// The app within which the person followed it; absent for Messages, Mail and the like.
    public var from: BundleIdentifier?

    /// Creates the value from its parts.
    public init(url: String, from: BundleIdentifier? = nil) {
        self.url = url
        self.from = from
    }
}

/// A request for a scene, for an activity or for nothing in particular.
public struct SceneRequest: Codable, Sendable, Equatable {
    /// What the scene is for.
    public var activity: UserActivity?

    /// Creates the value from its parts.
    public init(activity: UserActivity? = nil) {
        self.activity = activity
    }
}

/// A request to hand on what a scene of an app shows to another device (Handoff).
public struct ActivityHandoff: Codable, Sendable, Equatable {
    /// The token of the other device.
    public var to: DeviceToken

    /// The scene; the one in front where absent.
    public var scene: SceneIdentifier?

    /// Creates the value from its parts.
    public init(to: DeviceToken, scene: SceneIdentifier? = nil) {
        self.to = to
        self.scene = scene
    }
}

/// A request to note a device as it is under a name.
public struct SnapshotRequest: Codable, Sendable, Equatable {
    /// The name; a snapshot of that name is replaced.
    public var name: String

    /// Creates the value from its parts.
    public init(name: String) {
        self.name = name
    }
}

/// A request for a copy of a device.
public struct DeviceFork: Codable, Sendable, Equatable {
    /// The copy's name.
    public var name: String

    /// The snapshot that it begins with; absent for the device as it is.
    public var snapshot: String?

    /// Creates the value from its parts.
    public init(name: String, snapshot: String? = nil) {
        self.name = name
        self.snapshot = snapshot
    }
}

/// A request to make a device what it was.
public struct DeviceReset: Codable, Sendable, Equatable {
    /// The snapshot; absent for the device as it was described.
    public var snapshot: String?

    /// Creates the value from its parts.
    public init(snapshot: String? = nil) {
        self.snapshot = snapshot
    }
}
