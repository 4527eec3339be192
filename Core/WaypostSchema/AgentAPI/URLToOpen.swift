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
