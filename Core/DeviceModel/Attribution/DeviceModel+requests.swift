internal import Highlights
internal import WaypostSchema

/// The requests of apps for attribution views, and their effects.
extension DeviceModel {
    mutating func request(
        _ id: AttributionViewID,
        of app: BundleIdentifier,
        _ url: String,
        _ preferences: AttributionPreferences
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        let highlight = try highlight(url, of: app)
        var effects: [DeviceEffect] = []
        if let attached = sharing.attachedView(id, of: app) {
            let context = attached.displayContext
            // The context applies to the next window.
            if context != preferences.displayContext { effects.append(.eventIgnored(.displayContextTooLate(id))) }
            if attached.highlight != highlight.id {
                // The view stays in its window, but leaves one highlight and joins another.
                effects += try sharing.apply(.attributionAttached(app, id, url: url, context), at: moment)
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
        return effects + provide([view])
    }

    mutating func release(_ id: AttributionViewID, of app: BundleIdentifier) throws(IgnoredEvent) -> [DeviceEffect] {
        guard views[id, app] != nil else { throw .unknownView(id, of: app) }
        let isAttached = sharing.attachedView(id, of: app) != nil
        let effects = isAttached ? try sharing.apply(.attributionDetached(app, id), at: moment) : []
        views[id, app] = nil
        return effects
    }

    mutating func attach(
        _ id: AttributionViewID,
        of app: BundleIdentifier,
        _ url: String?,
        _ context: DisplayContext?
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        let view = views[id, app]
        if let view, let url, sharing.contentKey(of: url) != view.key {
            let explanation =
                "the attribution view \(id) of \(app) is for another highlight than '\(url)': request the view "
                + "with that URL first"
            throw IgnoredEvent(reason: .noHighlight, explanation: explanation)
        }
        let context = context ?? view?.preferences.displayContext
        return try sharing.apply(.attributionAttached(app, id, url: url ?? view?.url, context), at: moment)
    }

    /// Sets the display context; for a view in a window it is too late, so the context applies to the next window.
    mutating func set(
        _ context: DisplayContext,
        of id: AttributionViewID,
        _ app: BundleIdentifier
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard views[id, app] != nil else {
            return try sharing.apply(.attributionContextChanged(app, id, context), at: moment)
        }
        views[id, app]?.preferences.displayContext = context
        guard sharing.attachedView(id, of: app) == nil else { throw .displayContextTooLate(id) }
        return []
    }

    /// Ends the views whose highlights were removed, and provides the views that look different now.
    mutating func updateViews(after effects: [DeviceEffect]) -> [DeviceEffect] {
        guard !views.isEmpty else { return [] }
        for case .highlightsChanged(let update) in effects { views.take(update) }
        let changed = views.all { view in
            view.provided?.traits != traits || view.provided?.link != sharing.revision(of: view.key, in: view.app)
        }
        return provide(changed)
    }

    /// Provides the views that differ from what their apps received before.
    private mutating func provide(_ changed: [RequestedView]) -> [DeviceEffect] {
        changed.compactMap { view in
            guard let provision = provision(of: view) else { return nil }
            let link = sharing.revision(of: view.key, in: view.app)
            views[view.view, view.app]?.provided = RequestedView.Provision(view: provision, link: link, traits: traits)
            return provision == view.provided?.view ? nil : .attributionProvided(provision)
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
