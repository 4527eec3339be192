internal import WaypostSchema

/// What is shown over an app because of an attribution view; there is one on a device at a time.
struct Presentation: Sendable, Codable {
    /// What is shown.
    enum Screen: Sendable, Codable {
        /// The person is asked which conversation they mean.
        case disambiguation(DisambiguationMenu)

        /// The person sees a conversation, and can reply.
        case conversation(PresentedConversation)
    }

    /// The view that brought it up.
    let view: AttributionViewID

    /// Where the person is again afterwards.
    let place: ContentPlace

    private(set) var screen: Screen

    /// Shows the only conversation, or asks which.
    init(_ menu: DisambiguationMenu, of view: AttributionViewID) {
        self.view = view
        place = ContentPlace(app: menu.app, scene: menu.scene, url: menu.url)
        screen = .disambiguation(menu)
        if let only = menu.choices.first, menu.choices.count == 1 { show(only) }
    }

    /// The conversation that can be replied to; `nil` where none was chosen yet.
    var conversation: ConversationID? {
        guard case .conversation(let presented) = screen else { return nil }
        return presented.conversation
    }

    /// What the person sees.
    var effect: DeviceEffect {
        switch screen {
        case .disambiguation(let menu): .disambiguationPresented(menu)
        case .conversation(let presented): .conversationPresented(presented)
        }
    }

    /// What the app is told.
    func notice(_ state: PresentationNotice.State) -> DeviceEffect {
        .presentationChanged(PresentationNotice(app: place.app, view: view, state: state))
    }

    /// Shows a conversation of the menu; returns whether it is one of them.
    mutating func choose(_ conversation: ConversationID) -> Bool {
        guard case .disambiguation(let menu) = screen,
            let choice = menu.choices.first(where: { $0.conversation == conversation })
        else { return false }
        show(choice)
        return true
    }

    /// Takes in which conversations there still are; returns whether something is left to show.
    mutating func keep(where exists: (ConversationID) -> Bool) -> Bool {
        switch screen {
        case .conversation(let presented): return exists(presented.conversation)
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
