/// Something that happens to a device.
///
/// Everything does through one of these, the passing of time too.
public enum DeviceEvent: Sendable, Equatable {
    /// The device is as this describes it: apps that are not in it are removed.
    case deviceDescribed(DeviceDescription)

    /// An app was installed, or an installed one replaced.
    case appInstalled(AppDescription)

    /// An app was removed.
    case appRemoved(BundleIdentifier)

    /// A domain was asked for its association file, at `source`.
    case associationChecked(domain: String, source: String, Result<[UInt8], AssociationFailure>)

    /// A card in Contacts is new, or another than it was.
    case contactChanged(Contact)

    /// A card in Contacts is gone.
    case contactRemoved(ContactID)

    /// A conversation is new, or another than it was.
    case conversationChanged(Conversation)

    /// A conversation is gone, with its messages.
    case conversationDeleted(ConversationID)

    /// A message came, or the person sent one.
    case messageReceived(Message)

    /// A message has another text.
    case messageEdited(MessageID, text: String)

    /// A message is gone.
    case messageDeleted(MessageID)

    /// The person pinned a link of a message; all its links where no URL is given.
    case linkPinned(MessageID, url: String?)

    /// The person took a pin back; those of all links of the message where no URL is given.
    case linkUnpinned(MessageID, url: String?)

    /// A URL was found to stand for another, as a short link does.
    case linkResolved(url: String, target: String)

    /// The person removed a link from Shared with You.
    case linkRemoved(url: String)

    /// The person undid that.
    case linkRestored(url: String)

    /// The person turned sharing on or off.
    case sharingSet(SharingScope, isOn: Bool)

    /// The person turned automatic sharing with an app on or off.
    case automaticSharingSet(BundleIdentifier, isOn: Bool)

    /// The person answered the offer of automatic sharing with an app.
    case automaticSharingOfferAnswered(BundleIdentifier, OfferAnswer)

    /// An app asked for an attribution view of a highlight, or gave the one that it has other preferences.
    case attributionRequested(BundleIdentifier, AttributionViewID, url: String, AttributionPreferences)

    /// An app has no more need of an attribution view.
    case attributionReleased(BundleIdentifier, AttributionViewID)

    /// An app put an attribution view of a highlight into a window.
    ///
    /// Where it was asked for before, the highlight and the display context are those of the request; elsewhere a URL is
    /// needed, and the context is *summary* where none is given.
    case attributionAttached(BundleIdentifier, AttributionViewID, url: String?, DisplayContext?)

    /// An attribution view left its window.
    case attributionDetached(BundleIdentifier, AttributionViewID)

    /// An app gave a view another display context, which is too late to count while the view is in a window.
    case attributionContextChanged(BundleIdentifier, AttributionViewID, DisplayContext)

    /// The person tapped an attribution view, in a scene of the app; in the one in front where none is given.
    case attributionTapped(BundleIdentifier, AttributionViewID, SceneIdentifier?)

    /// The person chose an item of an attribution view's menu, or of a menu of the app that has these items.
    case menuItemChosen(BundleIdentifier, AttributionViewID, MenuItemID, SceneIdentifier?)

    /// The person chose a conversation in the disambiguation menu.
    case conversationChosen(ConversationID)

    /// The person sent a message in the conversation that is shown over an app; it has no sender.
    case replySent(Message)

    /// The person closed what is shown over an app, without a reply.
    case presentationDismissed

    /// The person tapped an attribution view or replied: what `attributionTapped` tells, for a journal without views.
    case highlightInteracted(BundleIdentifier, url: String)

    /// The person came to the end of the content.
    case contentFinished(BundleIdentifier, url: String)

    /// A notification arrived.
    case notificationDelivered(DeliveredNotification)

    /// The person opened a notification.
    case notificationOpened(NotificationID)

    /// Nothing but the passing of time.
    case timePassed
}

/// One line of a device's journal: an event, and when it happened.
public struct JournalEntry: Sendable, Equatable {
    /// When it happened.
    public var at: Timestamp

    /// What happened.
    public var event: DeviceEvent

    /// Creates the value from its parts.
    public init(at: Timestamp, event: DeviceEvent) {
        self.at = at
        self.event = event
    }
}

extension JournalEntry: Codable {
    private enum CodingKeys: String, CodingKey {
        case at
    }

    /// Reads an entry: an event with its time beside it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(at: try container.decode(Timestamp.self, forKey: .at), event: try DeviceEvent(from: decoder))
    }

    /// Writes an event with its time beside it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try event.encode(to: encoder)
    }
}
