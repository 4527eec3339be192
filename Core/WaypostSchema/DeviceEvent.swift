/// An event of a device.
///
/// All changes of a device are made by events, including the passing of time.
public enum DeviceEvent: Sendable, Equatable {
    /// The device takes the described state; apps that are not in the description are removed.
    case deviceDescribed(DeviceDescription)

    /// An app was installed or replaced.
    case appInstalled(AppDescription)

    /// An app was removed.
    case appRemoved(BundleIdentifier)

    /// A domain's association file was requested from `source`.
    case associationChecked(domain: String, source: String, Result<[UInt8], AssociationFailure>)

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

    /// The user tapped an attribution view or replied: `attributionTapped` for a journal without views.
    case highlightInteracted(BundleIdentifier, url: String)

    /// The user reached the end of the content.
    case contentFinished(BundleIdentifier, url: String)

    /// A notification arrived.
    case notificationDelivered(DeliveredNotification)

    /// The user opened a notification.
    case notificationOpened(NotificationID)

    /// The user dismissed a notification.
    case notificationDismissed(NotificationID)

    /// The user chose an action of a notification, and entered a text if the action asks for one.
    case notificationActionChosen(NotificationID, action: String, text: String?)

    /// A process of an app finished a call of the system.
    case appCallFinished(BundleIdentifier, call: Int, AppCallResult)

    /// The user forced an app to quit; it runs again if the user opens it.
    case appForceQuit(BundleIdentifier)

    /// The user turned Background App Refresh of an app on or off.
    case backgroundRefreshSet(BundleIdentifier, isOn: Bool)

    /// The user locked or unlocked the device.
    case lockSet(isOn: Bool)

    /// The user removed a Live Activity from the Lock Screen.
    case liveActivityDismissed(NotificationID)

    /// The user opened an app by its icon.
    case appOpened(BundleIdentifier)

    /// The user, or the app, requested a new scene, with or without an activity.
    case sceneCreated(BundleIdentifier, UserActivity?)

    /// The user, or the app, brought a scene to the front, with or without an activity.
    case sceneBroughtForward(BundleIdentifier, SceneIdentifier, UserActivity?)

    /// A scene went to the background.
    case sceneBackgrounded(BundleIdentifier, SceneIdentifier)

    /// The system released the memory of a scene; its session is kept.
    case sceneDisconnected(BundleIdentifier, SceneIdentifier)

    /// The user, or the app, closed a scene, which removes its session.
    case sceneClosed(BundleIdentifier, SceneIdentifier)

    /// An app set the activation conditions of one of its scenes.
    case activationConditionsSet(BundleIdentifier, SceneIdentifier, ActivationConditions)

    /// An app set, or cleared, the state restoration activity of one of its scenes.
    case restorationActivitySet(BundleIdentifier, SceneIdentifier, UserActivity?)

    /// An app set its dynamic quick actions.
    case shortcutItemsSet(BundleIdentifier, [ShortcutItem])

    /// The user performed a quick action of this type.
    case shortcutItemPerformed(BundleIdentifier, type: String)

    /// The user continued an activity of another device, `from`.
    case userActivityContinued(BundleIdentifier, UserActivity, from: String?)

    /// The user opened a URL, in an app if one is given.
    case urlOpened(String, from: BundleIdentifier?)

    /// A process of an app received an activation, so no other process receives it.
    case activationTaken(BundleIdentifier, number: Int)

    /// An app supplied the rich preview of one of its highlights.
    case previewSupplied(BundleIdentifier, LinkPreview)

    /// The user turned Low Power Mode on or off.
    case lowPowerModeSet(isOn: Bool)

    /// The user changed the settings for the notifications of an app.
    case notificationSettingsSet(BundleIdentifier, NotificationSettings)

    /// The user turned a Focus on, or the present one off.
    case focusSet(Focus?)

    /// The user turned Airplane Mode on or off; while it is on, the device is offline.
    case airplaneModeSet(isOn: Bool)

    /// The user chose a language, as a BCP 47 tag.
    case languageSet(String)

    /// The user chose a text size.
    case contentSizeCategorySet(ContentSizeCategory)

    /// A scene may now prefer only what it can display, or anything.
    case prefersOnlyAmongCapableSet(isOn: Bool)

    /// The device got another name, as a fork does.
    case deviceRenamed(String)

    /// A named snapshot of the device was taken.
    case snapshotTaken(String)

    /// The device was restored from a snapshot, or, if none is named, reset to its description.
    case deviceRestored(snapshot: String?)

    /// Time passed; nothing else happened.
    case timePassed
}

/// One line of a device's journal: an event and its time.
public struct JournalEntry: Sendable, Equatable {
    /// The time of the event.
    public var at: Timestamp

    /// The event.
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

    /// Parses an entry: an event with its time in the same object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(at: try container.decode(Timestamp.self, forKey: .at), event: try DeviceEvent(from: decoder))
    }

    /// Writes the event with its time in the same object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try event.encode(to: encoder)
    }
}
