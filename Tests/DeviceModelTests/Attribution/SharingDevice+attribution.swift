import Attribution
import DeviceModel
import WaypostSchema

extension SharingDevice {
    // MARK: Apps' actions

    /// Requests an attribution view of a link for an app.
    @discardableResult
    mutating func request(
        _ url: String = Link.show,
        in app: BundleIdentifier = .tv,
        as view: AttributionViewID = .first,
        _ preferences: AttributionPreferences = AttributionPreferences()
    ) -> [DeviceEffect] {
        apply(.attribution(.attributionRequested(app, view, url: url, preferences)))
    }

    @discardableResult
    mutating func release(_ view: AttributionViewID = .first, of app: BundleIdentifier = .tv) -> [DeviceEffect] {
        apply(.attribution(.attributionReleased(app, view)))
    }

    /// Attaches a requested view to a window.
    @discardableResult
    mutating func attach(
        _ view: AttributionViewID = .first,
        of app: BundleIdentifier = .tv,
        _ context: DisplayContext? = nil
    ) -> [DeviceEffect] {
        apply(.attribution(.attributionAttached(app, view, url: nil, context)))
    }

    @discardableResult
    mutating func detach(_ view: AttributionViewID = .first, of app: BundleIdentifier = .tv) -> [DeviceEffect] {
        apply(.attribution(.attributionDetached(app, view)))
    }

    /// Shows a requested view in a window for some time.
    mutating func show(_ view: AttributionViewID, milliseconds: Int) {
        attach(view)
        // The next event is a second later anyway.
        pass(milliseconds - 1_000)
        detach(view)
    }

    // MARK: The user's actions

    @discardableResult
    mutating func tap(
        _ view: AttributionViewID = .first,
        of app: BundleIdentifier = .tv,
        in scene: SceneIdentifier? = nil
    ) -> [DeviceEffect] {
        apply(.attribution(.attributionTapped(app, view, scene)))
    }

    @discardableResult
    mutating func choose(
        _ item: MenuItemID,
        of view: AttributionViewID = .first,
        _ app: BundleIdentifier = .tv,
        in scene: SceneIdentifier? = nil
    ) -> [DeviceEffect] {
        apply(.attribution(.menuItemChosen(app, view, item, scene)))
    }

    /// Chooses a conversation in the menu.
    @discardableResult
    mutating func talk(in conversation: ConversationID) -> [DeviceEffect] {
        apply(.attribution(.conversationChosen(conversation)))
    }

    @discardableResult
    mutating func reply(
        _ text: String = "Thank you",
        in conversation: ConversationID = .enrique,
        as id: MessageID? = nil
    ) -> [DeviceEffect] {
        apply(.attribution(.replySent(Message(id: id ?? nextMessage(), conversation: conversation, text: text))))
    }

    @discardableResult
    mutating func dismiss() -> [DeviceEffect] {
        apply(.attribution(.presentationDismissed))
    }

    /// Changes the user's language or text size.
    @discardableResult
    mutating func set(
        language: String = "en",
        _ size: ContentSizeCategory = .large,
        apps: [AppDescription]? = nil
    ) -> [DeviceEffect] {
        var description = model.description
        description.language = language
        description.preferredContentSizeCategory = size
        description.apps = apps ?? description.apps
        return apply(.system(.deviceDescribed(description)))
    }

    // MARK: State

    /// Returns the requested view as its app has it.
    func view(_ view: AttributionViewID = .first, of app: BundleIdentifier = .tv) -> AttributionView? {
        model.attributionView(view, of: app)
    }

    /// Returns the people in the picture of a handle, or `nil` if it has no picture.
    func people(on view: AttributionViewID = .first) -> [String]? {
        model.drawing(of: view)?.content.people.map(\.name)
    }

    /// The scenes that the user sees, each with its app.
    var seen: [String] {
        model.description.apps.flatMap { app in
            app.scenes.filter { $0.state == .foregroundActive }.map {
                "\(app.bundleIdentifier)/\($0.persistentIdentifier)"
            }
        }
    }
}

extension AttributionViewID {
    static let first: Self = "handle-1"
    static let second: Self = "handle-2"
}
