/// An attribution view as the app sees it: a handle, the size to reserve, and the items of its menu.
///
/// It does not contain the senders or a picture: the device resolves the handle when it draws the window.
public struct AttributionView: Codable, Sendable, Equatable {
    /// The app; other apps cannot use the handle.
    public var app: BundleIdentifier

    /// The handle, which is valid as long as the highlight exists.
    public var view: AttributionViewID

    /// The size of the view.
    public var size: LayoutSize

    /// The menu to append to the app's menu for its content (`highlightMenu`).
    public var menu: [MenuItem]

    /// The findings about the app's preferences.
    public var findings: [AttributionFinding]

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        view: AttributionViewID,
        size: LayoutSize,
        menu: [MenuItem],
        findings: [AttributionFinding] = []
    ) {
        self.app = app
        self.view = view
        self.size = size
        self.menu = menu
        self.findings = findings
    }
}
