import Attribution
import DeviceModel
import WaypostSchema

extension SharingDevice {
    // MARK: What apps do

    /// An app asks for an attribution view of a link.
    @discardableResult
    mutating func request(
        _ url: String = Link.show,
        in app: BundleIdentifier = .tv,
        as view: AttributionViewID = .first,
        _ preferences: AttributionPreferences = AttributionPreferences()
    ) -> [DeviceEffect] {
        happen(.attributionRequested(app, view, url: url, preferences))
    }

    @discardableResult
    mutating func release(_ view: AttributionViewID = .first, of app: BundleIdentifier = .tv) -> [DeviceEffect] {
        happen(.attributionReleased(app, view))
    }

    /// A view that was asked for comes into a window.
    @discardableResult
    mutating func attach(
        _ view: AttributionViewID = .first,
        of app: BundleIdentifier = .tv,
        _ context: DisplayContext? = nil
    ) -> [DeviceEffect] {
        happen(.attributionAttached(app, view, url: nil, context))
    }

    @discardableResult
    mutating func detach(_ view: AttributionViewID = .first, of app: BundleIdentifier = .tv) -> [DeviceEffect] {
        happen(.attributionDetached(app, view))
    }

    /// A view that was asked for is in a window for a while.
    mutating func show(_ view: AttributionViewID, milliseconds: Int) {
        attach(view)
        // The next event is a second later anyhow.
        pass(milliseconds - 1_000)
        detach(view)
    }

    // MARK: What the person does

    @discardableResult
    mutating func tap(
        _ view: AttributionViewID = .first,
        of app: BundleIdentifier = .tv,
        in scene: SceneIdentifier? = nil
    ) -> [DeviceEffect] {
        happen(.attributionTapped(app, view, scene))
    }

    @discardableResult
    mutating func choose(
        _ item: MenuItemID,
        of view: AttributionViewID = .first,
        _ app: BundleIdentifier = .tv,
        in scene: SceneIdentifier? = nil
    ) -> [DeviceEffect] {
        happen(.menuItemChosen(app, view, item, scene))
    }

    /// The person says in the menu which conversation they mean.
    @discardableResult
    mutating func talk(in conversation: ConversationID) -> [DeviceEffect] {
        happen(.conversationChosen(conversation))
    }

    @discardableResult
    mutating func reply(
        _ text: String = "Thank you",
        in conversation: ConversationID = .enrique,
        as id: MessageID? = nil
    ) -> [DeviceEffect] {
        happen(.replySent(Message(id: id ?? nextMessage(), conversation: conversation, text: text)))
    }

    @discardableResult
    mutating func dismiss() -> [DeviceEffect] {
        happen(.presentationDismissed)
    }

    /// The person has another language, or another size of text.
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
        return happen(.deviceDescribed(description))
    }

    // MARK: What there is

    /// What an app has of a view that it asked for.
    func view(_ view: AttributionViewID = .first, of app: BundleIdentifier = .tv) -> AttributionView? {
        model.attributionView(view, of: app)
    }

    /// Who is on the picture behind a handle; `nil` where there is none.
    func people(on view: AttributionViewID = .first) -> [String]? {
        model.drawing(of: view)?.content.people.map(\.name)
    }

    /// The scenes that the person sees, each with its app.
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
