internal import Highlights
internal import Targeting
internal import UniversalLinks
public import WaypostSchema

/// Things that a user opens: a notification, an app, a quick action, an activity of another device, a URL.
///
/// The conditions that the scenes have set decide which scene opens; no app is asked.
extension DeviceModel {
    /// Opens a notification that the user tapped.
    mutating func open(_ id: NotificationID, at now: Timestamp) throws(IgnoredEvent) -> DeviceEffect {
        guard received[id]?.isListed == true else { return .scene(.nothingToOpen(id)) }
        let notification = try readyNotification(id)
        guard !isLocked else {
            throw IgnoredEvent(reason: .locked, explanation: "the device is locked, and must be unlocked first")
        }
        return open(id, with: notification.response(), at: now)
    }

    /// Opens the scene that a notification chooses.
    mutating func open(
        _ id: NotificationID,
        with response: NotificationResponse,
        at now: Timestamp
    ) -> DeviceEffect {
        guard let notification = received[id] else { return .scene(.nothingToOpen(id)) }
        if notification.deviceNotification.openedAt == nil { received[id]?.deviceNotification.openedAt = now }
        let query = SceneQuery.notification(notification.deviceNotification.targetContentIdentifier)
        var openedScene = activateScene(for: query, of: notification.app, at: now) { $0.notification = response }
        openedScene?.notification = received[id]?.deviceNotification
        return .scene(openedScene.map { .sceneActivated($0) } ?? .nothingToOpen(id))
    }

    /// Opens an app by its icon; activation conditions are ignored.
    mutating func open(_ app: BundleIdentifier, at now: Timestamp) throws(IgnoredEvent) -> DeviceEffect {
        try openedEffect(for: activateScene(for: .notification(nil), of: app, at: now) { _ in }, in: app)
    }

    /// Returns the quick actions of an app: the static ones, and then the dynamic ones.
    public func shortcutItems(of app: BundleIdentifier) -> [ShortcutItem]? {
        apps[app]?.shortcutItems
    }

    mutating func performShortcutItem(
        _ type: String,
        of app: BundleIdentifier,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        guard let items = shortcutItems(of: app) else { throw .unknown(app) }
        guard let item = items.first(where: { $0.type == type }) else {
            let explanation = "the app \(app) has no quick action with the type '\(type)'"
            throw IgnoredEvent(reason: .unknownShortcutItem, explanation: explanation)
        }
        let query = SceneQuery.shortcutItem(item.targetContentIdentifier)
        let scene = activateScene(for: query, of: app, at: now) { $0.shortcutItem = item }
        return try openedEffect(for: scene, in: app)
    }

    mutating func continueActivity(
        _ activity: UserActivity,
        in app: BundleIdentifier,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        let query = SceneQuery.userActivity(activity.targetContentIdentifier, webpageURL: activity.webpageURL)
        let scene = activateScene(for: query, of: app, at: now) { $0.userActivity = activity }
        return try openedEffect(for: scene, in: app)
    }

    /// Opens a URL in the app that has it as a universal link, or otherwise as a website (`docs/universal-links.md`).
    mutating func openURL(
        _ url: String,
        from source: BundleIdentifier?,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        guard (try? LinkURL(url)) != nil else { throw .notAWebURL(url) }
        let decisions = linkDecisions(on: url)
        let matchingApps =
            apps
            .filter { app in decisions.contains { $0.matched && $0.app == app.value.association?.app } }.keys
            .sorted { $0.rawValue < $1.rawValue }
        // A link that the user follows within an app to the app's own website does not open the app again.
        let isSourceApp = source.map(matchingApps.contains) ?? false
        guard let app = matchingApps.first, !isSourceApp,
            case .scene(.sceneOpened(let openedScene)) = try continueActivity(.browsingWeb(url), in: app, at: now)
        else {
            let explanation =
                isSourceApp
                ? "the website opens: the link was followed within the app that it belongs to"
                : "the website opens: no app on the device has the URL as a universal link"
            return .scene(
                .urlOpened(OpenedURL(url: url, destination: .website, explanation: explanation, links: decisions))
            )
        }
        return .scene(
            .urlOpened(
                OpenedURL(
                    url: url,
                    destination: .app,
                    explanation: "\(app) opens: the URL is one of its universal links",
                    opened: openedScene,
                    links: decisions
                )
            )
        )
    }

    /// Returns which scene of an app would open for a query, and why, or `nil` if the app is not on the device.
    public func sceneDecision(for query: SceneQuery, of app: BundleIdentifier) -> SceneDecision? {
        apps[app]?.selectScene(for: query, prefersOnlyAmongCapable: prefersOnlyAmongCapable)
    }

    /// Brings the chosen scene, or a new one, to the front, with the data of its activation.
    private mutating func activateScene(
        for query: SceneQuery,
        of id: BundleIdentifier,
        at now: Timestamp,
        configuring configure: (inout SceneActivation) -> Void
    ) -> OpenedScene? {
        guard let decision = sceneDecision(for: query, of: id) else { return nil }
        return activate(decision.scene, of: id, at: now, decision, configuring: configure)
    }
}
