internal import Attribution
internal import Highlights
internal import WaypostSchema

/// Taps on attribution views and their menus, and the conversations that they open over the app.
extension DeviceModel {
    /// Shows the conversation of a view's link, or asks which one if there are several.
    mutating func tapView(
        _ id: AttributionViewID,
        of app: BundleIdentifier,
        in scene: SceneIdentifier?,
        at now: Timestamp
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let view = views[id, app], let content = drawing(of: view)?.content else {
            throw .unknownView(id, of: app)
        }
        if let scene, apps[app]?.hasScene(scene) != true { throw .unknown(scene, of: app) }
        try requireUnlocked()
        var effects = presentation.map { dismiss($0, at: now) } ?? []
        // Closing an earlier screen may bring another scene to the front, so the tapped scene comes to the front last.
        let scene = try bringForward(scene, of: app, at: now)
        effects += try sharing.apply(.highlightInteracted(app, url: view.url), at: eventMoment)
        let screen = AttributionScreen(content.disambiguation(app: app, scene: scene, url: view.url), of: id)
        presentation = screen
        return effects + [screen.notice(.presented), screen.effect]
    }

    mutating func chooseMenuItem(
        _ item: MenuItemID,
        of id: AttributionViewID,
        in app: BundleIdentifier,
        scene: SceneIdentifier?,
        at now: Timestamp
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let view = views[id, app] else { throw .unknownView(id, of: app) }
        switch item {
        case .reply: return try tapView(id, of: app, in: scene, at: now)
        case .remove: return try sharing.apply(.linkRemoved(url: view.url), at: eventMoment)
        default:
            let isInMenu = menu(of: view).supplementalItems.contains { $0.id == item }
            guard isInMenu || hasContextMenuItem(item, in: app) else { throw .unknown(item, of: id) }
            return [.attribution(.menuItemChosen(ChosenMenuItem(app: app, view: id, item: item)))]
        }
    }

    /// Shows all items of an app's shelf.
    mutating func tapShowMore(
        of app: BundleIdentifier,
        after count: Int,
        at now: Timestamp
    ) throws(IgnoredEvent) -> [DeviceEffect] {
        guard apps[app] != nil else { throw .unknown(app) }
        try requireUnlocked()
        let showMore = showMore(on: app, after: count)
        let total = showMore.shownCount + showMore.hiddenCount
        guard !expandedShelves.contains(app) else { throw .notPresented("\(app) shows all \(total) items already") }
        guard showMore.hiddenCount > 0 else {
            throw .notPresented("the shelf of \(app) shows all of its \(total) items, so there is no Show More")
        }
        let effects = presentation.map { dismiss($0, at: now) } ?? []
        _ = try bringForward(nil, of: app, at: now)
        expandedShelves.insert(app)
        return effects + [.attribution(.showMoreTapped(app))]
    }

    mutating func chooseConversation(_ conversation: ConversationID) throws(IgnoredEvent) -> [DeviceEffect] {
        guard var screen = presentation, screen.choose(conversation) else {
            throw .notPresented("no menu with the conversation \(conversation) is shown")
        }
        presentation = screen
        return [screen.effect]
    }

    /// Sends a message in the conversation that is shown, and returns the user to the content.
    mutating func reply(_ message: Message, at now: Timestamp) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let screen = presentation, screen.conversation == message.conversation, message.sender == nil else {
            throw .notPresented("the conversation \(message.conversation) is not shown over an app")
        }
        let messageEffects = try sharing.apply(.messageReceived(message), at: eventMoment)
        return messageEffects + [.attribution(.messageSent(message, to: enqueue(message)))] + dismiss(screen, at: now)
    }

    mutating func dismissPresentation(at now: Timestamp) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let screen = presentation else { throw .notPresented("nothing is shown over an app") }
        return dismiss(screen, at: now)
    }

    /// Closes the screen over an app if the app or the conversations no longer exist.
    mutating func closeStalePresentation(at now: Timestamp) -> [DeviceEffect] {
        guard var screen = presentation else { return [] }
        guard apps[screen.place.app] != nil else {
            presentation = nil
            return []
        }
        let previousEffect = screen.effect
        guard !screen.removeConversations(unless: sharing.hasConversation) else {
            presentation = screen
            return screen.effect == previousEffect ? [] : [screen.effect]
        }
        presentation = nil
        // The user returns to the content only if they are still there.
        return [screen.notice(.dismissed)]
            + (isInFront(screen.place) ? [.attribution(.contentReturned(screen.place))] : [])
    }

    /// Returns whether a place is in front; the place of an app without scenes is in front if no scene is.
    private func isInFront(_ place: ContentPlace) -> Bool {
        guard let scene = place.scene else { return !apps.values.contains(where: \.isInForeground) }
        return isInFront(scene, of: place.app)
    }

    private mutating func dismiss(_ screen: AttributionScreen, at now: Timestamp) -> [DeviceEffect] {
        presentation = nil
        // A closed scene cannot come to the front, but the app remains.
        let scene = (try? bringForward(screen.place.scene, of: screen.place.app, at: now)) ?? nil
        let place = ContentPlace(app: screen.place.app, scene: scene, url: screen.place.url)
        return [screen.notice(.dismissed), .attribution(.contentReturned(place))]
    }

    /// Brings a scene of an app to the front, because the user touched it, and returns which one.
    private mutating func bringForward(
        _ scene: SceneIdentifier?,
        of id: BundleIdentifier,
        at now: Timestamp
    ) throws(IgnoredEvent) -> SceneIdentifier? {
        guard let app = apps[id] else { throw .unknown(id) }
        guard let front = scene ?? app.frontScene else { return nil }
        guard app.hasScene(front) else { throw .unknown(front, of: id) }
        if !isInFront(front, of: id) { show(front, of: id, at: now) }
        return front
    }
}
