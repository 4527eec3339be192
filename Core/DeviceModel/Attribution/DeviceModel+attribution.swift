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
        views[view, app].flatMap { provision(of: $0, as: view) }
    }

    /// Returns what an app asked for; `nil` where there is no such view, or none any more.
    public func requestedView(_ view: AttributionViewID) -> RequestedView? {
        views[view]
    }

    /// Returns the picture behind a handle: for who draws the screen, and for no app.
    ///
    /// While the view is in a window, its display context is the one with which it came there.
    public func drawing(of view: AttributionViewID) -> AttributionDrawing? {
        guard let requested = views[view] else { return nil }
        var preferences = requested.preferences
        preferences.displayContext =
            sharing.attachedView(view, of: requested.app)?.displayContext ?? preferences.displayContext
        return drawing(of: requested.url, in: requested.app, preferences)
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
    public func menu(of view: AttributionViewID) -> AttributionMenu? {
        views[view].map { AttributionMenu(preferences: $0.preferences, in: traits.language) }
    }

    /// What is shown over an app, as it was told of last; `nil` where nothing is.
    public var presented: DeviceEffect? {
        presentation?.effect
    }

    /// Returns the name of an app, as the person sees it.
    public func displayName(of app: BundleIdentifier) -> String {
        apps[app]?.description.displayName ?? app.rawValue
    }

    private func provision(of view: RequestedView, as id: AttributionViewID) -> AttributionView? {
        guard let drawing = drawing(of: view.url, in: view.app, view.preferences) else { return nil }
        let menu = AttributionMenu(preferences: view.preferences, in: traits.language)
        let size = drawing.layout.size
        return AttributionView(
            app: view.app,
            view: id,
            size: LayoutSize(width: size.width.inPoints, height: size.height.inPoints),
            menu: menu.items,
            findings: drawing.layout.findings + menu.findings
        )
    }

    // MARK: Requests

    mutating func request(
        _ id: AttributionViewID,
        of app: BundleIdentifier,
        _ url: String,
        _ preferences: AttributionPreferences
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        let highlight = try highlight(url, of: app)
        guard views[id].map({ $0.app == app }) ?? true else { throw .viewTaken(id) }
        var effects: [DeviceEffect] = []
        if let attached = sharing.attachedView(id, of: app) {
            let context = attached.displayContext
            // It counts for the next window.
            if context != preferences.displayContext { effects.append(.eventIgnored(.displayContextTooLate(id))) }
            if attached.highlight != highlight.id {
                // In its window, the view leaves one highlight and comes to another.
                effects += try sharing.apply(.attributionAttached(app, id, url: url, context), at: moment)
            }
        }
        views[id] = RequestedView(
            app: app,
            highlight: highlight.id,
            url: url,
            preferences: preferences,
            key: sharing.contentKey(of: url) ?? ContentKey(rawValue: url)
        )
        return effects + provide([id])
    }

    mutating func release(_ id: AttributionViewID, of app: BundleIdentifier) throws(IgnoredEvent) -> [DeviceEffect] {
        guard views[id, app] != nil else { throw .unknownView(id, of: app) }
        let isAttached = sharing.attachedView(id, of: app) != nil
        let effects = isAttached ? try sharing.apply(.attributionDetached(app, id), at: moment) : []
        views[id] = nil
        return effects
    }

    mutating func attach(
        _ id: AttributionViewID,
        of app: BundleIdentifier,
        _ url: String?,
        _ context: DisplayContext?
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        let view = views[id, app]
        if let view, let url, sharing.contentKey(of: url) != view.key { throw .otherHighlight(id, than: url, of: app) }
        let context = context ?? view?.preferences.displayContext
        return try sharing.apply(.attributionAttached(app, id, url: url ?? view?.url, context), at: moment)
    }

    /// Takes in another display context: for a view in a window it is too late, and counts for the next one.
    mutating func set(
        _ context: DisplayContext,
        of id: AttributionViewID,
        _ app: BundleIdentifier
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard views[id, app] != nil else {
            return try sharing.apply(.attributionContextChanged(app, id, context), at: moment)
        }
        views[id]?.preferences.displayContext = context
        guard sharing.attachedView(id, of: app) == nil else { throw .displayContextTooLate(id) }
        return []
    }

    private func highlight(_ url: String, of app: BundleIdentifier) throws(IgnoredEvent) -> Highlight {
        guard apps[app] != nil else { throw .notInstalled(app) }
        do throws(HighlightFault) {
            return try sharing.highlight(for: url, of: app)
        } catch {
            throw IgnoredEvent(reason: .noHighlight, explanation: error.message)
        }
    }

    // MARK: What becomes of views

    /// Hands apps the views that are not as they were handed before.
    private mutating func provide(_ ids: [AttributionViewID]) -> [DeviceEffect] {
        ids.compactMap { id in
            guard let view = views[id], let provision = provision(of: view, as: id) else { return nil }
            views[id]?.provided = (provision, sharing.revision(of: view.key, in: view.app), traits)
            return provision == view.provided?.view ? nil : .attributionProvided(provision)
        }
    }

    /// Ends the views whose highlights are gone, and hands apps anew those that look different to them.
    mutating func updateViews(after effects: [DeviceEffect]) -> [DeviceEffect] {
        guard !views.isEmpty else { return [] }
        for case .highlightsChanged(let update) in effects { views.take(update) }
        let changed = views.identifiers { view in
            view.provided?.traits != traits || view.provided?.link != sharing.revision(of: view.key, in: view.app)
        }
        return provide(changed)
    }
}
