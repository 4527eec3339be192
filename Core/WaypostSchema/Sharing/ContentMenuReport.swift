/// The context menu of a link's content in an app: the app's items, and those of the attribution view.
public struct ContentMenuReport: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The URL of the content.
    public var url: String

    /// The attribution view of which the menu has items; absent if the app requested none for the link.
    public var view: AttributionViewID?

    /// The items by section, with a separator between sections; no section is empty.
    public var sections: [[MenuItem]]

    /// A human-readable sentence about the items of the attribution view: their position, or the reason why they are missing.
    public var explanation: String

    /// The findings about the app's items and the title of the item that removes the content.
    public var findings: [AttributionFinding]

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        url: String,
        view: AttributionViewID? = nil,
        sections: [[MenuItem]],
        explanation: String,
        findings: [AttributionFinding] = []
    ) {
        self.app = app
        self.url = url
        self.view = view
        self.sections = sections
        self.explanation = explanation
        self.findings = findings
    }
}
