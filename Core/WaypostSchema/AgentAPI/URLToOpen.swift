/// A request to open a URL.
public struct URLToOpen: Codable, Sendable, Equatable {
    /// The URL.
    public var url: String

    /// The app in which the user followed the URL; absent for Messages, Mail and similar apps.
    public var from: BundleIdentifier?

    /// The URL of the page in the browser on which the user followed the URL; absent if it was not on a page, or in
    /// an app.
    public var page: String?

    /// Creates the value from its parts.
    public init(url: String, from: BundleIdentifier? = nil, page: String? = nil) {
        self.url = url
        self.from = from
        self.page = page
    }
}
