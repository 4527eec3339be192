internal import WaypostSchema

/// The screen over an app that an attribution view opened; a device has at most one at a time.
struct AttributionScreen: Sendable, Codable {
    /// The content of the screen.
    enum Content: Sendable, Codable {
        /// A menu in which the user chooses a conversation.
        case disambiguation(DisambiguationMenu)

        /// A conversation in which the user can reply.
        case conversation(PresentedConversation)
    }

    /// The view that opened the screen.
    let view: AttributionViewID

    /// The place to which the user returns afterwards.
    let place: ContentPlace

    /// The menu or the conversation.
    private(set) var screen: Content

    /// Creates a screen that shows the only conversation, or asks for one of several.
    init(_ menu: DisambiguationMenu, of view: AttributionViewID) {
        self.view = view
        place = ContentPlace(app: menu.app, scene: menu.scene, url: menu.url)
        screen = .disambiguation(menu)
        if let choice = menu.choices.first, menu.choices.count == 1 { show(choice) }
    }

    /// The conversation that the user can reply to, or `nil` if none was chosen yet.
    var conversation: ConversationID? {
        guard case .conversation(let conversation) = screen else { return nil }
        return conversation.conversation
    }

    /// The effect that shows the screen.
    var effect: DeviceEffect {
        switch screen {
        case .disambiguation(let menu): .attribution(.disambiguationPresented(menu))
        case .conversation(let conversation): .attribution(.conversationPresented(conversation))
        }
    }

    /// Returns the effect that tells the app the state of the screen.
    func notice(_ state: PresentationNotice.State) -> DeviceEffect {
        .attribution(.presentationChanged(PresentationNotice(app: place.app, view: view, state: state)))
    }

    /// Shows a conversation of the menu; returns whether it is in the menu.
    mutating func choose(_ conversation: ConversationID) -> Bool {
        guard case .disambiguation(let menu) = screen,
            let choice = menu.choices.first(where: { $0.conversation == conversation })
        else { return false }
        show(choice)
        return true
    }

    /// Removes the conversations that no longer exist; returns whether there is one left to show.
    mutating func removeConversations(unless exists: (ConversationID) -> Bool) -> Bool {
        switch screen {
        case .conversation(let conversation): return exists(conversation.conversation)
        case .disambiguation(var menu):
            menu.choices.removeAll { !exists($0.conversation) }
            screen = .disambiguation(menu)
            return !menu.choices.isEmpty
        }
    }

    private mutating func show(_ choice: DisambiguationMenu.Choice) {
        screen = .conversation(
            PresentedConversation(
                app: place.app,
                scene: place.scene,
                url: place.url,
                conversation: choice.conversation,
                title: choice.title
            )
        )
    }
}
