public import Attribution
internal import Highlights
public import WaypostSchema

/// Attribution views: what an app is handed of them, and what the device draws.
extension DeviceModel {
    /// Returns what an app has of an attribution view that it asked for.
    ///
    /// - Parameters:
    ///   - view: the handle.
    ///   - app: the app.
    /// - Returns: the handle with the size and the menu as they are now; `nil` where the app has no such view, whether it
    ///   never was, has ended or is another app's.
    public func attributionView(_ view: AttributionViewID, of app: BundleIdentifier) -> AttributionView? {
        views[view, app].flatMap(provision)
    }

    /// Returns the views that have a handle: one, where the device made it, as nobody guesses it; in the order of their apps.
    public func requestedViews(_ view: AttributionViewID) -> [RequestedView] {
        views.all { $0.view == view }
    }

    /// The views that apps asked for, in the order of their handles and apps.
    public var allViews: [RequestedView] {
        views.all { _ in true }
    }

    /// Returns the picture behind a handle: for who draws the screen, and for no app.
    ///
    /// - Parameter view: the handle.
    /// - Returns: the picture; `nil` where there is no such view, or where several apps have chosen the same handle.
    public func drawing(of view: AttributionViewID) -> AttributionDrawing? {
        let views = requestedViews(view)
        return views.count == 1 ? views.first.flatMap(drawing) : nil
    }

    /// Returns the picture of an attribution view.
    ///
    /// While the view is in a window, its display context is the one with which it came there.
    public func drawing(of view: RequestedView) -> AttributionDrawing? {
        var preferences = view.preferences
        preferences.displayContext =
            sharing.attachedView(view.view, of: view.app)?.displayContext ?? preferences.displayContext
        return drawing(of: view.url, in: view.app, preferences)
    }

    /// Returns the picture that an app's attribution view of a link would have.
    ///
    /// - Parameters:
    ///   - url: the URL of a highlight of the app.
    ///   - app: the app.
    ///   - preferences: what the app asks of the view.
    ///   - traits: the language and the size of text; those of the device where there are none.
    /// - Returns: the picture; `nil` where the app has no highlight for the URL.
    public func drawing(
        of url: String,
        in app: BundleIdentifier,
        _ preferences: AttributionPreferences = AttributionPreferences(),
        _ traits: AttributionTraits? = nil
    ) -> AttributionDrawing? {
        guard let link = sharing.sharedLink(url, of: app) else { return nil }
        let traits = traits ?? self.traits
        let content = AttributionContent(link, in: traits.language)
        let layout = AttributionLayout(
            content,
            preferences,
            preferredContentSizeCategory: traits.preferredContentSizeCategory
        )
        return AttributionDrawing(content: content, layout: layout)
    }

    /// Returns the menu that the device shows for an attribution view: its own items and then the app's.
    public func menu(of view: RequestedView) -> AttributionMenu {
        AttributionMenu(preferences: view.preferences, in: traits.language, isTranslated: traits.isTranslated)
    }

    /// What is shown over an app, as it was told of last; `nil` where nothing is.
    public var presented: DeviceEffect? {
        presentation?.effect
    }

    /// Returns the name of an app, as the person sees it.
    public func displayName(of app: BundleIdentifier) -> String {
        apps[app]?.description.displayName ?? app.rawValue
    }

    func provision(of view: RequestedView) -> AttributionView? {
        guard let drawing = drawing(of: view.url, in: view.app, view.preferences) else { return nil }
        let menu = menu(of: view)
        return AttributionView(
            app: view.app,
            view: view.view,
            size: drawing.layout.size.inPoints,
            menu: menu.items,
            findings: drawing.layout.findings + menu.findings
        )
    }
}
