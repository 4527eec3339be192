internal import Attribution
internal import Highlights
internal import WaypostSchema

/// The requests of apps for attribution views, and their effects.
extension DeviceModel {
    mutating func handle(_ event: AttributionEvent, at now: Timestamp) throws(IgnoredEvent) -> [DeviceEffect] {
        switch event {
        case .attributionRequested(let app, let view, let url, let preferences):
            return try requestView(view, of: app, url, preferences: preferences)
        case .attributionReleased(let app, let view): return try releaseView(view, of: app)
        case .attributionAttached(let app, let view, let url, let context):
            return try attachView(view, of: app, url, context: context)
        case .attributionDetached(let app, let view): return try sharing.detach(view, of: app)
        case .attributionContextChanged(let app, let view, let context):
            try setDisplayContext(context, of: view, in: app)
        case .attributionTapped(let app, let view, let scene): return try tapView(view, of: app, in: scene, at: now)
        case .menuItemChosen(let app, let view, let item, let scene):
            return try chooseMenuItem(item, of: view, in: app, scene: scene, at: now)
        case .conversationChosen(let conversation): return try chooseConversation(conversation)
        case .replySent(let message): return try reply(message, at: now)
        case .messageDelivered(let message): return try removeFromOutbox(message)
        case .presentationDismissed: return try dismissPresentation(at: now)
        case .previewSupplied(let app, let preview): try supply(preview, of: app)
        case .showMoreTapped(let app, let count):
            return try tapShowMore(of: app, after: count ?? ShowMore.defaultLimit, at: now)
        }
        return []
    }

    mutating func requestView(
        _ id: AttributionViewID,
        of app: BundleIdentifier,
        _ url: String,
        preferences: AttributionPreferences
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        let highlight = try highlight(url, of: app)
        var effects: [DeviceEffect] = []
        if let attached = sharing.attachedView(id, of: app) {
            let context = attached.displayContext
            // The context applies to the next window.
            if context != preferences.displayContext {
                effects.append(.system(.eventIgnored(.displayContextTooLate(id))))
            }
            if attached.highlight != highlight.id {
                // The view stays in its window, but leaves one highlight and joins another.
                effects += try sharing.attach(id, of: app, to: url, context)
            }
        }
        let view = RequestedView(
            app: app,
            view: id,
            highlight: highlight.id,
            url: url,
            preferences: preferences,
            key: sharing.contentKey(of: url) ?? ContentKey(rawValue: url)
        )
        views[id, app] = view
        return effects + provideViews([view])
    }

    mutating func releaseView(
        _ id: AttributionViewID,
        of app: BundleIdentifier
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard views[id, app] != nil else { throw .unknownView(id, of: app) }
        let isAttached = sharing.attachedView(id, of: app) != nil
        let effects = isAttached ? try sharing.detach(id, of: app) : []
        views[id, app] = nil
        return effects
    }

    mutating func attachView(
        _ id: AttributionViewID,
        of app: BundleIdentifier,
        _ url: String?,
        context: DisplayContext?
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        let view = views[id, app]
        if let view, let url, sharing.contentKey(of: url) != view.key {
            let explanation =
                "the attribution view \(id) of \(app) is for another highlight than '\(url)': request the view "
                + "with that URL first"
            throw IgnoredEvent(reason: .noHighlight, explanation: explanation)
        }
        let context = context ?? view?.preferences.displayContext
        return try sharing.attach(id, of: app, to: url ?? view?.url, context ?? .summary)
    }

    /// Sets the display context of a view.
    ///
    /// - Throws: `IgnoredEvent` if the view is in a window; the context then applies to the next window.
    mutating func setDisplayContext(
        _ context: DisplayContext,
        of id: AttributionViewID,
        in app: BundleIdentifier
    ) throws(IgnoredEvent) {
        guard views[id, app] != nil else { throw try sharing.displayContextError(for: id, of: app) }
        views[id, app]?.preferences.displayContext = context
        guard sharing.attachedView(id, of: app) == nil else { throw .displayContextTooLate(id) }
    }

    private mutating func supply(_ preview: LinkPreview, of app: BundleIdentifier) throws(IgnoredEvent) {
        guard apps[app] != nil else { throw .unknown(app) }
        guard let key = sharing.contentKey(of: preview.url) else { throw .notAWebURL(preview.url) }
        apps[app]?.supply(preview, of: key)
    }

    /// Ends the views whose highlights were removed, and provides the views that look different now.
    mutating func updateViews(after effects: [DeviceEffect]) -> [DeviceEffect] {
        guard !views.isEmpty else { return [] }
        for case .sharing(.highlightsChanged(let update)) in effects { views.removeEndedViews(after: update) }
        let changedViews = views.all { view in
            view.provided?.traits != traits || view.provided?.link != sharing.revision(of: view.key, in: view.app)
        }
        return provideViews(changedViews)
    }

    /// Provides views to their apps, except those that are the same as when the apps last received them.
    private mutating func provideViews(_ requestedViews: [RequestedView]) -> [DeviceEffect] {
        requestedViews.compactMap { view in
            guard let attributionView = makeAttributionView(of: view) else { return nil }
            let link = sharing.revision(of: view.key, in: view.app)
            let providedView = RequestedView.ProvidedView(view: attributionView, link: link, traits: traits)
            views[view.view, view.app]?.provided = providedView
            return attributionView == view.provided?.view ? nil : .attribution(.attributionProvided(attributionView))
        }
    }

    private func highlight(_ url: String, of app: BundleIdentifier) throws(IgnoredEvent) -> Highlight {
        guard apps[app] != nil else { throw .unknown(app) }
        do throws(HighlightError) {
            return try sharing.highlight(for: url, of: app)
        } catch {
            throw IgnoredEvent(reason: .noHighlight, explanation: error.message)
        }
    }
}
