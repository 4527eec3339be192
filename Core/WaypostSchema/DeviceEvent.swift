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

    /// The person swept a notification away.
    case notificationDismissed(NotificationID)

    /// The person opened an app, by its icon.
    case appOpened(BundleIdentifier)

    /// The person, or the app, asked for a new scene of an app, for an activity or for nothing in particular.
    case sceneCreated(BundleIdentifier, UserActivity?)

    /// The person, or the app, brought a scene to the front, for an activity or for nothing in particular.
    case sceneBroughtForward(BundleIdentifier, SceneIdentifier, UserActivity?)

    /// A scene went to the background.
    case sceneBackgrounded(BundleIdentifier, SceneIdentifier)

    /// The system took the memory of a scene; its session is kept.
    case sceneDisconnected(BundleIdentifier, SceneIdentifier)

    /// The person, or the app, closed a scene, so that its session is gone.
    case sceneClosed(BundleIdentifier, SceneIdentifier)

    /// An app set what one of its scenes can display and what it prefers.
    case activationConditionsSet(BundleIdentifier, SceneIdentifier, ActivationConditions)

    /// An app said what one of its scenes is restored with; nothing where no activity is given.
    case restorationActivitySet(BundleIdentifier, SceneIdentifier, UserActivity?)

    /// An app set its dynamic quick actions.
    case shortcutItemsSet(BundleIdentifier, [ShortcutItem])

    /// The person performed the quick action of a type.
    case shortcutItemPerformed(BundleIdentifier, type: String)

    /// The person went on with an activity of another device, which has a name.
    case userActivityContinued(BundleIdentifier, UserActivity, from: String?)

    /// The person opened a URL, in an app where one is given.
    case urlOpened(String, from: BundleIdentifier?)

    /// A process of an app has taken an activation, so that no other gets it.
    case activationTaken(BundleIdentifier, number: Int)

    /// An app supplied the rich preview of one of its highlights.
    case previewSupplied(BundleIdentifier, LinkPreview)

    /// The person turned Low Power Mode on or off.
    case lowPowerModeSet(isOn: Bool)

    /// The person turned Airplane Mode on or off: with it, the device is offline.
    case airplaneModeSet(isOn: Bool)

    /// The person chose a language, as a BCP 47 tag.
    case languageSet(String)

    /// The person chose a size of text.
    case contentSizeCategorySet(ContentSizeCategory)

    /// The device has another name, as a copy of another has.
    case deviceRenamed(String)

    /// The device as it is was noted under a name.
    case snapshotTaken(String)

    /// The device is again as it was noted, or, without a name, as it was described.
    case deviceRestored(snapshot: String?)

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
