/// An event of Contacts, Messages and the links in messages, or a choice of the user about them.
public enum SharingEvent: Sendable, Equatable {
    /// A card in Contacts was added or changed.
    case contactChanged(Contact)

    /// A card in Contacts was removed.
    case contactRemoved(ContactID)

    /// A conversation was added or changed.
    case conversationChanged(Conversation)

    /// A conversation was deleted, with its messages.
    case conversationDeleted(ConversationID)

    /// A message was received, or the user sent one.
    case messageReceived(Message)

    /// The text of a message was edited.
    case messageEdited(MessageID, text: String)

    /// A message was deleted.
    case messageDeleted(MessageID)

    /// The user pinned a link of a message, or all its links if there is no URL.
    case linkPinned(MessageID, url: String?)

    /// The user unpinned a link of a message, or all its links if there is no URL.
    case linkUnpinned(MessageID, url: String?)

    /// A URL was resolved to another one, like a short link.
    case linkResolved(url: String, target: String)

    /// The user removed a link from Shared with You.
    case linkRemoved(url: String)

    /// The user restored a removed link.
    case linkRestored(url: String)

    /// The user turned sharing on or off.
    case sharingSet(SharingScope, isOn: Bool)

    /// The user turned automatic sharing with an app on or off.
    case automaticSharingSet(BundleIdentifier, isOn: Bool)

    /// The user answered the offer of automatic sharing with an app.
    case automaticSharingOfferAnswered(BundleIdentifier, OfferAnswer)

    /// The user tapped an attribution view or replied: `attributionTapped` for a journal without views.
    case highlightInteracted(BundleIdentifier, url: String)

    /// The user reached the end of the content.
    case contentFinished(BundleIdentifier, url: String)
}

extension SharingEvent {
    /// The names of the events.
    public enum Kind: String, StringEnum {
        case contactChanged, contactRemoved, conversationChanged, conversationDeleted, messageReceived, messageEdited,
            messageDeleted, linkPinned, linkUnpinned, linkResolved, linkRemoved, linkRestored, sharingSet,
            automaticSharingSet, automaticSharingOfferAnswered, highlightInteracted, contentFinished
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEvent.Field>) throws {
        self =
            switch kind {
            case .contactChanged: try .contactChanged(fields.read(.contact))
            case .contactRemoved: try .contactRemoved(fields.read(.contact))
            case .conversationChanged: try .conversationChanged(fields.read(.conversation))
            case .conversationDeleted: try .conversationDeleted(fields.read(.conversation))
            case .messageReceived: try .messageReceived(fields.read(.message))
            case .messageEdited: try .messageEdited(fields.read(.message), text: fields.read(.text))
            case .messageDeleted: try .messageDeleted(fields.read(.message))
            case .linkPinned: try .linkPinned(fields.read(.message), url: fields.readIfPresent(.url))
            case .linkUnpinned: try .linkUnpinned(fields.read(.message), url: fields.readIfPresent(.url))
            case .linkResolved: try .linkResolved(url: fields.read(.url), target: fields.read(.target))
            case .linkRemoved: try .linkRemoved(url: fields.read(.url))
            case .linkRestored: try .linkRestored(url: fields.read(.url))
            case .sharingSet: try .sharingSet(SharingScope(from: fields.decoder), isOn: fields.read(.isOn))
            case .automaticSharingSet: try .automaticSharingSet(fields.read(.app), isOn: fields.read(.isOn))
            case .automaticSharingOfferAnswered:
                try .automaticSharingOfferAnswered(fields.read(.app), fields.read(.answer))
            case .highlightInteracted: try .highlightInteracted(fields.read(.app), url: fields.read(.url))
            case .contentFinished: try .contentFinished(fields.read(.app), url: fields.read(.url))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEvent.Field> {
        switch self {
        case .contactChanged(let contact): (.contactChanged, [.contact: contact])
        case .contactRemoved(let contact): (.contactRemoved, [.contact: contact])
        case .conversationChanged(let conversation): (.conversationChanged, [.conversation: conversation])
        case .conversationDeleted(let conversation): (.conversationDeleted, [.conversation: conversation])
        case .messageReceived(let message): (.messageReceived, [.message: message])
        case .messageEdited(let message, let text): (.messageEdited, [.message: message, .text: text])
        case .messageDeleted(let message): (.messageDeleted, [.message: message])
        case .linkPinned(let message, let url): (.linkPinned, [.message: message, .url: url])
        case .linkUnpinned(let message, let url): (.linkUnpinned, [.message: message, .url: url])
        case .linkResolved(let url, let target): (.linkResolved, [.url: url, .target: target])
        case .linkRemoved(let url): (.linkRemoved, [.url: url])
        case .linkRestored(let url): (.linkRestored, [.url: url])
        case .sharingSet(let scope, let isOn):
            (
                .sharingSet,
                [
                    .everywhere: scope.isEverywhere ? true : nil, .app: scope.app, .conversation: scope.conversation,
                    .isOn: isOn,
                ]
            )
        case .automaticSharingSet(let app, let isOn): (.automaticSharingSet, [.app: app, .isOn: isOn])
        case .automaticSharingOfferAnswered(let app, let answer):
            (.automaticSharingOfferAnswered, [.app: app, .answer: answer])
        case .highlightInteracted(let app, let url): (.highlightInteracted, [.app: app, .url: url])
        case .contentFinished(let app, let url): (.contentFinished, [.app: app, .url: url])
        }
    }
}
