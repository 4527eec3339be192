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
        try requireUnlocked()
        return try open(id, with: notification.response(), at: now)
    }

    /// Opens the scene that a notification chooses.
    mutating func open(
        _ id: NotificationID,
        with response: NotificationResponse,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        guard let notification = received[id] else { return .scene(.nothingToOpen(id)) }
        let query = SceneQuery.notification(notification.deviceNotification.targetContentIdentifier)
        var openedScene = try activateScene(for: query, of: notification.app, response.cause, at: now) {
            $0.notification = response
        }
        if notification.deviceNotification.openedAt == nil { received[id]?.deviceNotification.openedAt = now }
        openedScene?.notification = received[id]?.deviceNotification
        return .scene(openedScene.map { .sceneActivated($0) } ?? .nothingToOpen(id))
    }

    /// Opens an app by its icon; activation conditions are ignored.
    mutating func open(_ app: BundleIdentifier, at now: Timestamp) throws(IgnoredEvent) -> DeviceEffect {
        guard apps[app] != nil else { throw .unknown(app) }
        try requireUnlocked()
        return try openedEffect(for: activateScene(for: .notification(nil), of: app, .icon, at: now) { _ in }, in: app)
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
        try requireUnlocked()
        let query = SceneQuery.shortcutItem(item.targetContentIdentifier)
        let scene = try activateScene(for: query, of: app, .quickAction, at: now) { $0.shortcutItem = item }
        return try openedEffect(for: scene, in: app)
    }

    /// Opens a scene that the app itself requests: one that accepts the content of the activity, or a new one.
    ///
    /// Without an identifier or a URL, no scene can accept it. An app with one scene always gets that scene.
    mutating func requestScene(
        of app: BundleIdentifier,
        for activity: UserActivity,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        let query = activity.query
        guard var decision = sceneDecision(for: query, of: app) else { throw .unknown(app) }
        if decision.reason == .noIdentifier, decision.scene != nil {
            decision = .newScene(of: declarationChoice(for: query, of: app), insteadOf: decision)
        }
        guard decision.outcome != .nothing else { throw .noDeclarationMatches(of: app, decision.explanation) }
        let scene = activate(decision.scene, of: app, for: .sceneRequest, at: now, decision) {
            $0.userActivity = activity
        }
        return try openedEffect(for: scene, in: app)
    }

    /// Continues an activity in the scene that its content selects; with an error, its data does not arrive there.
    mutating func continueActivity(
        _ activity: UserActivity,
        in app: BundleIdentifier,
        failingWith error: HandoffError? = nil,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        guard apps[app] != nil else { throw .unknown(app) }
        try requireUnlocked()
        let failure = error.map { FailedUserActivity(activityType: activity.activityType, error: $0) }
        let cause = failure == nil ? activity.cause : .handoffFailure
        let scene = try activateScene(for: activity.query, of: app, cause, at: now) { activation in
            activation.userActivity = failure == nil ? activity : nil
            activation.failedUserActivity = failure
        }
        return try openedEffect(for: scene, in: app)
    }

    /// Opens a URL in the app that has it as a universal link, or otherwise as a website (`docs/universal-links.md`).
    ///
    /// A URL with another scheme than those of the web opens in the app that has the scheme.
    mutating func openURL(
        _ url: String,
        from source: BundleIdentifier?,
        on page: String?,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        let linkURL: LinkURL
        do throws(LinkURLError) {
            linkURL = try LinkURL(url)
        } catch {
            switch error {
            case .notWeb(let scheme): return try openCustomURL(url, scheme: scheme, at: now)
            case .tooLong(let bytes): throw .tooLong(bytes: bytes)
            case .notAURL: throw .notAWebURL(url)
            }
        }
        let pageURL = try page.map { page throws(IgnoredEvent) in
            guard let pageURL = try? LinkURL(page) else { throw .notAWebURL(page) }
            return pageURL
        }
        try requireUnlocked()
        let matchingApps = matchingApps(for: linkURL)
        let decisions = linkDecisions(on: url, matching: matchingApps)
        let reason = Self.reasonForBrowser(linkURL, from: source, on: pageURL, matchingApps.map(\.app))
        guard reason == nil, let app = matchingApps.first?.app,
            case .scene(.sceneOpened(let openedScene)) = try continueActivity(.browsingWeb(url), in: app, at: now)
        else {
            let explanation = "the website opens: \(reason ?? "no app can open it")"
            return .scene(
                .urlOpened(OpenedURL(url: url, destination: .website, explanation: explanation, links: decisions))
            )
        }
        return .scene(
            .urlOpened(
                OpenedURL(
                    url: url,
                    destination: .app,
                    explanation: Self.explanation(ofOpening: matchingApps),
                    opened: openedScene,
                    links: decisions
                )
            )
        )
    }

    /// Checks that the user can open something.
    ///
    /// The event `sceneRequested` is not checked, because an app causes it, and neither are `sceneCreated` and
    /// `sceneBroughtForward`, because an app causes them, too.
    ///
    /// - Throws: `IgnoredEvent` if the device is locked.
    public func requireUnlocked() throws(IgnoredEvent) {
        guard isLocked else { return }
        throw IgnoredEvent(reason: .locked, explanation: "the device is locked, and must be unlocked first")
    }

    /// Returns the reason for which a URL opens in the browser; `nil` if it opens in the first of the apps.
    private static func reasonForBrowser(
        _ url: LinkURL,
        from source: BundleIdentifier?,
        on page: LinkURL?,
        _ apps: [BundleIdentifier]
    ) -> String? {
        if apps.isEmpty { return "no app on the device has the URL as a universal link" }
        if source.map(apps.contains) == true { return "the link was followed within the app that it belongs to" }
        guard let page, page.host == url.host else { return nil }
        return "the link was followed from a page of its own domain, \(url.host), so it stays in the browser"
    }

    private static func explanation(ofOpening matchingApps: [MatchingApp]) -> String {
        matchingApps.map { app, reason in
            reason.map { "\(app) matches it, too, but \($0)" } ?? "\(app) opens: the URL is one of its universal links"
        }
        .joined(separator: "; ")
    }

    /// Returns which scene of an app would open for a query, and why, or `nil` if the app is not on the device.
    public func sceneDecision(for query: SceneQuery, of app: BundleIdentifier) -> SceneDecision? {
        apps[app].flatMap { installed in
            selectionRules(of: app).map { installed.selectScene(for: query, by: $0) }
        }
    }

    /// Returns the choice of the declaration for a new scene; `nil` if the app does not say what it declares.
    func declarationChoice(for query: SceneQuery, of app: BundleIdentifier) -> DeclarationChoice? {
        selectionRules(of: app).flatMap { DeclarationChoice(for: query, by: $0) }
    }

    /// Returns the rules for selecting a scene of an app, or `nil` if the app is not on the device.
    func selectionRules(of app: BundleIdentifier) -> SelectionRules? {
        guard var rules = apps[app]?.selectionRules else { return nil }
        rules.prefersOnlyAmongCapable = prefersOnlyAmongCapable
        rules.focusPrefix = focus?.targetContentIdentifierPrefixes?[app.rawValue]
        return rules
    }

    /// Brings the chosen scene, or a new one, to the front, with the data of its activation.
    ///
    /// - Throws: `IgnoredEvent` if a new scene is needed, and no declaration of the app accepts the content.
    mutating func activateScene(
        for query: SceneQuery,
        of id: BundleIdentifier,
        _ cause: EventCause,
        at now: Timestamp,
        configuring configure: (inout SceneActivation) -> Void
    ) throws(IgnoredEvent) -> OpenedScene? {
        guard let decision = sceneDecision(for: query, of: id) else { return nil }
        guard decision.outcome != .nothing else { throw .noDeclarationMatches(of: id, decision.explanation) }
        return activate(decision.scene, of: id, for: cause, at: now, decision, configuring: configure)
    }
}

extension SceneDecision {
    /// Returns the decision about a request of the app without an identifier, which no existing scene can satisfy.
    fileprivate static func newScene(of choice: DeclarationChoice?, insteadOf decision: Self) -> Self {
        let reason = "the activity has no identifier or URL that a scene could accept"
        let opensNothing = choice.map { $0.declaration == nil } ?? false
        let consequence = opensNothing ? ", and " : ", so a new one is created" + (choice == nil ? "" : ": ")
        return Self(
            outcome: opensNothing ? .nothing : .create,
            declaration: choice?.declaration?.name,
            reason: .noIdentifier,
            explanation: reason + consequence + (choice?.explanation ?? ""),
            findings: decision.findings,
            trace: []
        )
    }
}

extension NotificationResponse {
    /// The cause of a scene's activation by the response.
    fileprivate var cause: EventCause {
        guard actionIdentifier != nil else { return .notificationTap }
        return userText == nil ? .foregroundAction : .foregroundText
    }
}

extension UserActivity {
    /// The query for the scene that continues the activity.
    var query: SceneQuery {
        .userActivity(targetContentIdentifier, webpageURL: webpageURL)
    }

    /// The cause of a scene's activation by the activity, which its type tells.
    fileprivate var cause: EventCause {
        switch activityType {
        case Self.browsingWebType: .universalLink
        case "com.apple.corespotlightitem": .spotlight
        case "NSUserActivityTypeLiveActivity": .widgetActivity
        default: .handoff
        }
    }
}
