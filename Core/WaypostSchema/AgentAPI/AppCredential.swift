/// The credential with which a process of an app attaches; created when the app is installed.
public struct AppCredential: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The bearer token of the process (`Authorization: Bearer …`); it gives access only to this app on this device.
    public var credential: BearerSecret

    /// The base URL of the app API.
    public var apps: String

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, credential: BearerSecret, apps: String) {
        self.app = app
        self.credential = credential
        self.apps = apps
    }
}
