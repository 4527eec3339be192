/// The result of opening a URL, and its reason.
public struct OpenedURL: Codable, Sendable, Equatable {
    /// The destinations of a URL.
    public enum Destination: String, StringEnum {
        /// An app, because the URL is a universal link of the app, or has a scheme of the app.
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
