import WaypostSchema

extension String {
    /// The name in isolates, so that the words around it keep their order whatever its writing direction.
    var isolated: String { "\u{2068}\(self)\u{2069}" }
}

extension [DeviceEffect] {
    /// The attribution views that apps receive.
    var provided: [AttributionView] {
        compactMap { if case .attribution(.attributionProvided(let view)) = $0 { view } else { nil } }
    }

    /// The notices to apps that UI of their views was presented or dismissed.
    var notices: [PresentationNotice] {
        compactMap { if case .attribution(.presentationChanged(let notice)) = $0 { notice } else { nil } }
    }

    /// The conversations that are presented.
    var conversations: [PresentedConversation] {
        compactMap { if case .attribution(.conversationPresented(let conversation)) = $0 { conversation } else { nil } }
    }

    /// The menus of conversations that are presented.
    var disambiguations: [DisambiguationMenu] {
        compactMap { if case .attribution(.disambiguationPresented(let menu)) = $0 { menu } else { nil } }
    }

    /// The user's messages that are sent.
    var sent: [Message] {
        compactMap { if case .attribution(.messageSent(let message, _)) = $0 { message } else { nil } }
    }

    /// The places to which the user returns.
    var places: [ContentPlace] {
        compactMap { if case .attribution(.contentReturned(let place)) = $0 { place } else { nil } }
    }

    /// The items of apps' own menus that the user chose.
    var chosen: [ChosenMenuItem] {
        compactMap { if case .attribution(.menuItemChosen(let item)) = $0 { item } else { nil } }
    }

    /// The kinds of the effects in order: all that an app could see of them without their values.
    var kinds: [String] {
        map(\.kind.rawValue)
    }
}
