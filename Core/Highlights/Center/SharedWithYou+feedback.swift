internal import HashTreeCollections
public import WaypostSchema

/// The feedback from an app's attribution views: how the user interacts with content.
extension SharedWithYou {
    /// Records that an app put a view of its highlight for `url` into a window.
    ///
    /// - Throws: `IgnoredEvent` if the app is unknown or has no such highlight, or if there is no URL.
    public mutating func attach(
        _ view: AttributionViewID,
        of app: BundleIdentifier,
        to url: String?,
        _ context: DisplayContext
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let url else { throw .unknownView(view, of: app) }
        let key = try highlightKey(for: url, of: app)
        // A view that moves to another highlight is detached from the previous one.
        let updates = centers[app]?.views[view] == nil ? [] : try detach(view, of: app)
        centers[app]?.views[view] = AttachedView(key: key, displayContext: context, since: clock)
        guard context == .detail else { return updates }
        return updates + changeFeedback(on: key, of: app) { $0.isStarted = true }
    }

    /// Records that a view was removed from its window.
    ///
    /// - Throws: `IgnoredEvent` if there is no such view in a window of the app.
    public mutating func detach(
        _ view: AttributionViewID,
        of app: BundleIdentifier
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard centers[app] != nil else { throw .unknown(app) }
        guard let attached = centers[app]?.views.removeValue(forKey: view) else { throw .unknownView(view, of: app) }
        let (now, rules) = (clock, ranking)
        return changeFeedback(on: attached.key, of: app) { feedback in
            switch attached.displayContext {
            case .summary: feedback.recordImpression(from: attached.since, to: now, rules)
            case .detail: feedback.recordDwell(from: attached.since, to: now)
            }
        }
    }

    /// Returns the error for a change of a view's display context, which can be set only before the view is in a
    /// window.
    ///
    /// - Throws: `IgnoredEvent` if there is no such app, or no such view in a window.
    public func displayContextError(
        for view: AttributionViewID,
        of app: BundleIdentifier
    ) throws(IgnoredEvent) -> IgnoredEvent {
        guard let center = centers[app] else { throw .unknown(app) }
        guard center.views[view] != nil else { throw .unknownView(view, of: app) }
        return .displayContextTooLate(view)
    }

    mutating func changeFeedback(
        on url: String,
        of app: BundleIdentifier,
        _ change: (inout ItemFeedback) -> Void
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        changeFeedback(on: try highlightKey(for: url, of: app), of: app, change)
    }

    private mutating func changeFeedback(
        on key: ContentKey,
        of app: BundleIdentifier,
        _ change: (inout ItemFeedback) -> Void
    ) -> [DeviceEffect] {
        guard var feedback = centers[app].map({ $0.feedback[key] ?? ItemFeedback() }) else { return [] }
        change(&feedback)
        centers[app]?.feedback[key] = feedback
        return refresh([key], in: [app])
    }

    /// Returns the key of the highlight that an app has for a URL.
    ///
    /// - Throws: `IgnoredEvent` if there is no such app, or if it has no highlight for the URL.
    private func highlightKey(for url: String, of app: BundleIdentifier) throws(IgnoredEvent) -> ContentKey {
        guard let center = centers[app] else { throw .unknown(app) }
        guard let key = messageStore.content(of: url)?.key, center.isLoaded, center.shelf.items[key] != nil else {
            throw .noHighlight(url, of: app)
        }
        return key
    }
}
