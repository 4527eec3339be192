/// An event of an attribution view, or of what the device shows over an app because of one.
public enum AttributionEvent: Sendable, Equatable {
    /// An app requested an attribution view of a highlight, or changed the preferences of a view.
    case attributionRequested(BundleIdentifier, AttributionViewID, url: String, AttributionPreferences)

    /// An app released an attribution view.
    case attributionReleased(BundleIdentifier, AttributionViewID)

    /// An app put an attribution view of a highlight into a window.
    ///
    /// If the app requested the view before, the highlight and the display context are those of the request. Otherwise
    /// a URL is required, and the context defaults to *summary*.
    case attributionAttached(BundleIdentifier, AttributionViewID, url: String?, DisplayContext?)

    /// An attribution view was removed from its window.
    case attributionDetached(BundleIdentifier, AttributionViewID)

    /// An app set the display context of a view, which has no effect while the view is in a window.
    case attributionContextChanged(BundleIdentifier, AttributionViewID, DisplayContext)

    /// The user tapped an attribution view in a scene of the app; in the frontmost scene if none is given.
    case attributionTapped(BundleIdentifier, AttributionViewID, SceneIdentifier?)

    /// The user chose an item in the menu of an attribution view, or in an app's menu that has these items.
    case menuItemChosen(BundleIdentifier, AttributionViewID, MenuItemID, SceneIdentifier?)

    /// The user chose a conversation in the disambiguation menu.
    case conversationChosen(ConversationID)

    /// The user sent a message in the conversation that is shown over an app; the message has no sender.
    case replySent(Message)

    /// The gateway accepted the user's message for the devices of the other participants.
    case messageDelivered(MessageID)

    /// The user closed what is shown over an app without sending a reply.
    case presentationDismissed

    /// An app supplied the rich preview of one of its highlights.
    case previewSupplied(BundleIdentifier, LinkPreview)

    /// The user tapped Show More of an app's shelf, which shows a number of items; 5 if none is given.
    case showMoreTapped(BundleIdentifier, after: Int?)
}

extension AttributionEvent {
    /// The names of the events.
    public enum Kind: String, StringEnum {
        case attributionRequested, attributionReleased, attributionAttached, attributionDetached,
            attributionContextChanged, attributionTapped, menuItemChosen, conversationChosen, replySent,
            messageDelivered, presentationDismissed, previewSupplied, showMoreTapped
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEvent.Field>) throws {
        self =
            switch kind {
            case .attributionRequested:
                try .attributionRequested(
                    fields.read(.app),
                    fields.read(.view),
                    url: fields.read(.url),
                    fields.readIfPresent(.preferences) ?? AttributionPreferences()
                )
            case .attributionReleased: try .attributionReleased(fields.read(.app), fields.read(.view))
            case .attributionAttached:
                try .attributionAttached(
                    fields.read(.app),
                    fields.read(.view),
                    url: fields.readIfPresent(.url),
                    fields.readIfPresent(.displayContext)
                )
            case .attributionDetached: try .attributionDetached(fields.read(.app), fields.read(.view))
            case .attributionContextChanged:
                try .attributionContextChanged(fields.read(.app), fields.read(.view), fields.read(.displayContext))
            case .attributionTapped:
                try .attributionTapped(fields.read(.app), fields.read(.view), fields.readIfPresent(.scene))
            case .menuItemChosen:
                try .menuItemChosen(
                    fields.read(.app),
                    fields.read(.view),
                    fields.read(.item),
                    fields.readIfPresent(.scene)
                )
            case .conversationChosen: try .conversationChosen(fields.read(.conversation))
            case .replySent: try .replySent(Self.reply(in: fields))
            case .messageDelivered: try .messageDelivered(fields.read(.message))
            case .presentationDismissed: .presentationDismissed
            case .previewSupplied: try .previewSupplied(fields.read(.app), fields.read(.preview))
            case .showMoreTapped: try .showMoreTapped(fields.read(.app), after: Self.itemCount(in: fields))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEvent.Field> {
        switch self {
        case .attributionRequested(let app, let view, let url, let preferences):
            (.attributionRequested, [.app: app, .view: view, .url: url, .preferences: preferences])
        case .attributionReleased(let app, let view): (.attributionReleased, [.app: app, .view: view])
        case .attributionAttached(let app, let view, let url, let context):
            (.attributionAttached, [.app: app, .view: view, .displayContext: context, .url: url])
        case .attributionDetached(let app, let view): (.attributionDetached, [.app: app, .view: view])
        case .attributionContextChanged(let app, let view, let context):
            (.attributionContextChanged, [.app: app, .view: view, .displayContext: context])
        case .attributionTapped(let app, let view, let scene):
            (.attributionTapped, [.app: app, .view: view, .scene: scene])
        case .menuItemChosen(let app, let view, let item, let scene):
            (.menuItemChosen, [.app: app, .view: view, .item: item, .scene: scene])
        case .conversationChosen(let conversation): (.conversationChosen, [.conversation: conversation])
        case .replySent(let message): (.replySent, [.message: message])
        case .messageDelivered(let message): (.messageDelivered, [.message: message])
        case .presentationDismissed: (.presentationDismissed, [:])
        case .previewSupplied(let app, let preview): (.previewSupplied, [.app: app, .preview: preview])
        case .showMoreTapped(let app, let count): (.showMoreTapped, [.app: app, .after: count])
        }
    }

    /// Parses the number of items before Show More.
    private static func itemCount(in fields: TaggedFields<DeviceEvent.Field>) throws -> Int? {
        let count = try fields.readIfPresent(.after) as Int?
        guard count ?? 0 >= 0 else { throw fields.error(at: .after, "must be at least 0") }
        return count
    }

    /// Parses a reply, which only the user can send.
    private static func reply(in fields: TaggedFields<DeviceEvent.Field>) throws -> Message {
        let message = try fields.read(.message) as Message
        guard message.sender == nil else {
            throw fields.error(at: .message, "a reply must not have a 'sender', because the user sends it")
        }
        return message
    }
}
