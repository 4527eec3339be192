/// An effect on attribution views, or on what the device shows over an app.
public enum AttributionEffect: Sendable, Equatable {
    /// The app receives an attribution view that it requested.
    case attributionProvided(AttributionView)

    /// The app is notified that system UI covers it, or no longer does.
    case presentationChanged(PresentationNotice)

    /// The device shows a conversation over an app.
    case conversationPresented(PresentedConversation)

    /// The device asks the user which conversation they mean.
    case disambiguationPresented(DisambiguationMenu)

    /// The device sends the user's message to the other participants of its conversation.
    case messageSent(Message, to: [MessageRecipient])

    /// The device returns the user to the content of an app.
    case contentReturned(ContentPlace)

    /// The app is notified that the user chose one of its own items in the menu of an attribution view.
    case menuItemChosen(ChosenMenuItem)

    /// The app is notified that the user tapped Show More of its shelf, and shows all its highlights.
    case showMoreTapped(BundleIdentifier)
}

extension AttributionEffect {
    /// The names of the effects.
    public enum Kind: String, StringEnum {
        case attributionProvided, presentationChanged, conversationPresented, disambiguationPresented, messageSent,
            contentReturned, menuItemChosen, showMoreTapped
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEffect.Field>) throws {
        self =
            switch kind {
            case .attributionProvided: try .attributionProvided(fields.read(.attribution))
            case .presentationChanged: try .presentationChanged(fields.read(.presentation))
            case .conversationPresented: try .conversationPresented(fields.read(.conversation))
            case .disambiguationPresented: try .disambiguationPresented(fields.read(.disambiguation))
            case .messageSent:
                try .messageSent(
                    fields.read(.message),
                    to: fields.readIfPresent(.recipients) ?? []
                )
            case .contentReturned: try .contentReturned(fields.read(.place))
            case .menuItemChosen: try .menuItemChosen(fields.read(.menuItem))
            case .showMoreTapped: try .showMoreTapped(fields.read(.app))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEffect.Field> {
        switch self {
        case .attributionProvided(let view): (.attributionProvided, [.attribution: view])
        case .presentationChanged(let notice): (.presentationChanged, [.presentation: notice])
        case .conversationPresented(let conversation): (.conversationPresented, [.conversation: conversation])
        case .disambiguationPresented(let menu): (.disambiguationPresented, [.disambiguation: menu])
        case .messageSent(let message, let recipients):
            (.messageSent, [.message: message, .recipients: recipients.isEmpty ? nil : recipients])
        case .contentReturned(let place): (.contentReturned, [.place: place])
        case .menuItemChosen(let item): (.menuItemChosen, [.menuItem: item])
        case .showMoreTapped(let app): (.showMoreTapped, [.app: app])
        }
    }
}
