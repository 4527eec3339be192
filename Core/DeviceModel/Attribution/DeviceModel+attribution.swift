public import Attribution
internal import Highlights
public import WaypostSchema

/// Attribution views: what an app receives of them, and what the device draws.
extension DeviceModel {
    /// Returns an app's data of an attribution view that it requested.
    ///
    /// - Parameters:
    ///   - view: the handle.
    ///   - app: the app.
    /// - Returns: the handle with the current size and menu, or `nil` if the app has no such view: it never existed,
    ///   has ended, or belongs to another app.
    public func attributionView(_ view: AttributionViewID, of app: BundleIdentifier) -> AttributionView? {
        views[view, app].flatMap(makeAttributionView)
    }

    /// Returns the views with a handle, sorted by app.
    ///
    /// If the device created the handle, there is only one, because nobody can guess it.
    public func requestedViews(_ view: AttributionViewID) -> [RequestedView] {
        views.all { $0.view == view }
    }

    /// All views that apps requested, sorted by handle and app.
    public var allViews: [RequestedView] {
        views.all { _ in true }
    }

    /// All views that apps requested, as the apps have them, sorted by handle and app.
    public var requestedAttributions: [RequestedAttribution] {
        allViews.compactMap { view in
            makeAttributionView(of: view).map { RequestedAttribution(url: view.url, attribution: $0) }
        }
    }

    /// Returns the picture of the view with a handle, for drawing on the screen and never for an app.
    ///
    /// - Parameter view: the handle.
    /// - Returns: the picture, or `nil` if there is no such view, or several apps have chosen the same handle.
    public func drawing(of view: AttributionViewID) -> AttributionDrawing? {
        picturedLink(ofOnly: view).flatMap { drawing(of: $0.url, in: $0.app, $0.preferences) }
    }

    /// Returns the picture of an attribution view.
    ///
    /// While the view is in a window, it has the display context that it had when it was attached.
    public func drawing(of view: RequestedView) -> AttributionDrawing? {
        let link = picturedLink(of: view)
        return drawing(of: link.url, in: link.app, link.preferences)
    }

    /// Returns the picture of a link's attribution view in an app.
    ///
    /// - Parameters:
    ///   - url: the URL of a highlight of the app.
    ///   - app: the app.
    ///   - preferences: the app's preferences for the view.
    ///   - traits: the language, the text size and the layout direction, or `nil` for those of the device and the app.
    /// - Returns: the picture, or `nil` if the app has no highlight for the URL.
    public func drawing(
        of url: String,
        in app: BundleIdentifier,
        _ preferences: AttributionPreferences = AttributionPreferences(),
        _ traits: AttributionTraits? = nil
    ) -> AttributionDrawing? {
        guard let link = sharing.sharedLink(url, of: app) else { return nil }
        let traits = traits ?? attributionTraits(of: app)
        let content = AttributionContent(link, in: traits.language)
        let layout = AttributionLayout(
            content,
            preferences,
            preferredContentSizeCategory: traits.preferredContentSizeCategory,
            layoutDirection: traits.layoutDirection
        )
        return AttributionDrawing(content: content, layout: layout)
    }

    /// Returns the menu of an attribution view: the device's items, and then the app's.
    public func menu(of view: RequestedView) -> AttributionMenu {
        attributionMenu(of: picturedLink(of: view), PictureOptions())
    }

    /// The screen that is over an app now, and the offers of automatic sharing that the user can answer.
    public var presentedEffects: [DeviceEffect] {
        [presentationEffect].compactMap(\.self)
            + sharing.openOffers.map { DeviceEffect.sharing(.automaticSharingConsidered($0)) }
    }

    /// Returns the offer of automatic sharing with an app, as the user sees it.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - language: the language of the text, or `nil` for the user's.
    /// - Returns: the offer, whether it is open or not.
    public func offerCard(for app: BundleIdentifier, in language: AttributionLanguage? = nil) -> MenuCard {
        MenuCard(offerFor: displayName(of: app), in: language ?? traits.language)
    }

    /// The effect that shows the screen that is over an app now, or `nil` if there is none.
    public var presentationEffect: DeviceEffect? {
        presentation?.effect
    }

    /// Returns the name of an app, as the user sees it.
    public func displayName(of app: BundleIdentifier) -> String {
        apps[app]?.description.displayName ?? app.rawValue
    }

    func makeAttributionView(of view: RequestedView) -> AttributionView? {
        guard let drawing = drawing(of: view.url, in: view.app, view.preferences) else { return nil }
        let menu = menu(of: view)
        return AttributionView(
            app: view.app,
            view: view.view,
            size: drawing.layout.size.inPoints,
            menu: menu.systemItems,
            findings: drawing.layout.findings + menu.findings
        )
    }
}
