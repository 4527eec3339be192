/// The content to which the user returns when nothing covers the app any more.
public struct ContentPlace: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The app's scene; absent if the app has none.
    public var scene: SceneIdentifier?

    /// The URL that the app shows.
    public var url: String

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, scene: SceneIdentifier? = nil, url: String) {
        self.app = app
        self.scene = scene
        self.url = url
    }
}
