import WaypostSchema

extension String {
    /// A name as it stands among other words: whatever way it is written, they stay in their order.
    var isolated: String { "\u{2068}\(self)\u{2069}" }
}

extension [DeviceEffect] {
    /// The views that apps are handed.
    var provided: [AttributionView] {
        compactMap { if case .attributionProvided(let view) = $0 { view } else { nil } }
    }

    /// What apps are told of what their views brought up.
    var notices: [PresentationNotice] {
        compactMap { if case .presentationChanged(let notice) = $0 { notice } else { nil } }
    }

    /// The conversations that come up.
    var conversations: [PresentedConversation] {
        compactMap { if case .conversationPresented(let conversation) = $0 { conversation } else { nil } }
    }

    /// The menus that come up.
    var disambiguations: [DisambiguationMenu] {
        compactMap { if case .disambiguationPresented(let menu) = $0 { menu } else { nil } }
    }

    /// The person's messages that go out.
    var sent: [Message] {
        compactMap { if case .messageSent(let message) = $0 { message } else { nil } }
    }

    /// Where the person is again.
    var places: [ContentPlace] {
        compactMap { if case .contentReturned(let place) = $0 { place } else { nil } }
    }

    /// The items of their own menus that apps are told of.
    var chosen: [ChosenMenuItem] {
        compactMap { if case .menuItemChosen(let item) = $0 { item } else { nil } }
    }

    /// What an app could see of these effects, without their values: the kinds, in their order.
    var kinds: [String] {
        map { effect in Mirror(reflecting: effect).children.first?.label ?? "\(effect)" }
    }
}
