internal import Highlights
public import WaypostSchema

/// A link to draw: its URL in an app, with the app's preferences for the attribution view.
public struct PicturedLink: Sendable {
    /// The app.
    public let app: BundleIdentifier

    /// The URL of a highlight of the app.
    public let url: String

    /// The app's preferences.
    public let preferences: AttributionPreferences

    /// Creates the value for a link, whether the app requested a view of it or not.
    public init(_ url: String, in app: BundleIdentifier) {
        self.init(url, in: app, AttributionPreferences())
    }

    init(_ url: String, in app: BundleIdentifier, _ preferences: AttributionPreferences) {
        self.app = app
        self.url = url
        self.preferences = preferences
    }
}

extension DeviceModel {
    /// Returns the link of the view with a handle.
    ///
    /// - Parameter view: the handle.
    /// - Returns: the link, or `nil` if there is no such view, or several apps have chosen the same handle.
    public func picturedLink(ofOnly view: AttributionViewID) -> PicturedLink? {
        let views = requestedViews(view)
        return views.count == 1 ? views.first.map(picturedLink(of:)) : nil
    }

    /// Returns the link of a view that an app requested.
    ///
    /// While the view is in a window, it has the display context that it had when it was attached.
    public func picturedLink(of view: RequestedView) -> PicturedLink {
        var preferences = view.preferences
        preferences.displayContext =
            sharing.attachedView(view.view, of: view.app)?.displayContext ?? preferences.displayContext
        return PicturedLink(view.url, in: view.app, preferences)
    }
}
