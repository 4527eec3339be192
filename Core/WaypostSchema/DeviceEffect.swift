/// A reaction of a device to an event.
public enum DeviceEffect: Sendable, Equatable {
    /// The event changed nothing, because its subject does not exist or the change was already made.
    case eventIgnored(IgnoredEvent)

    /// The device decided, after a pin, whether to offer automatic sharing with an app to the user.
    case automaticSharingConsidered(OfferDecision)

    /// The app is notified that its highlights changed.
    case highlightsChanged(HighlightsUpdate)

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

    /// The state of a domain's association file on the device changed.
    case associationUpdated(AssociationFileStatus)

    /// The device shows a notification, which the user can open.
    case notificationPosted(DeviceNotification)

    /// The user sees more or less of a notification, because its app answered.
    case notificationUpdated(DeviceNotification)

    /// The system called a function of an app.
    case appCalled(BundleIdentifier, AppCall)

    /// A Live Activity started, changed, ended or disappeared.
    case liveActivityChanged(LiveActivity)

    /// The notification was delivered again and is ignored.
    case repetitionIgnored(NotificationID)

    /// No app on the device has the notification's topic.
    case notificationDiscarded(NotificationID, Topic)

    /// A scene of an app was activated for a notification.
    case sceneActivated(OpenedNotification)

    /// A scene of an app was activated for something else.
    case sceneOpened(OpenedScene)

    /// A URL opened in an app or as a website.
    case urlOpened(OpenedURL)

    /// A scene went to the background, was disconnected or was closed.
    case sceneLeft(SceneDeparture)

    /// An activity of another device can be continued.
    case activityOffered(OfferedActivity)

    /// The device was restored; its followers must read its state again.
    case deviceRestored

    /// The device has no such notification, so nothing was opened.
    case nothingToOpen(NotificationID)
}

/// The reason why an event changed nothing.
public struct IgnoredEvent: Error, Codable, Sendable, Equatable {
    /// The kinds of reasons.
    public enum Reason: String, StringChoice {
        /// No device can match the description.
        case unusableDescription

        /// The app is not on the device.
        case unknownApp

        /// There is no such card in Contacts.
        case unknownContact

        /// There is no such conversation.
        case unknownConversation

        /// There is no such message.
        case unknownMessage

        /// The message was received before.
        case repeatedMessage

        /// The message was deleted before.
        case deletedMessage

        /// The message has no such link.
        case unknownLink

        /// The URL was already resolved.
        case resolvedBefore

        /// The link is not pinned there.
        case notPinned

        /// The link is not removed.
        case notRemoved

        /// The text is not an http or https URL.
        case notAWebURL

        /// No offer of automatic sharing is open for the app.
        case noOpenOffer

        /// The app has no highlight for the URL.
        case noHighlight

        /// There is no such attribution view in a window of the app.
        case unknownView

        /// The display context was set after the view was put into a window.
        case displayContextTooLate

        /// The attribution view has no such menu item.
        case unknownMenuItem

        /// The app has no such scene.
        case unknownScene

        /// No such conversation is shown over an app.
        case notPresented

        /// The scene is not in the foreground.
        case notInForeground

        /// The app supports only one scene, which exists.
        case oneSceneOnly

        /// An activation condition is not valid.
        case unusableCondition

        /// The app has no such quick action.
        case unknownShortcutItem

        /// Two quick actions of the app have the same type.
        case repeatedShortcutItem

        /// The app has no such activation, or a process already received it.
        case unknownActivation

        /// There is no such notification.
        case unknownNotification

        /// The notification has no such action.
        case unknownAction

        /// The action does not fit: it needs a text, or takes none.
        case unusableText

        /// The notification waits for its app's service extension.
        case waitsForExtension

        /// The device must be unlocked first.
        case locked

        /// The app has no such call, or it is finished, or its time is over.
        case unknownCall

        /// There is no such Live Activity.
        case unknownLiveActivity

        /// A device, or a snapshot, needs a name.
        case noName

        /// There is no such snapshot.
        case unknownSnapshot

        /// The payload of an activity notification is not a handed-off activity.
        case noActivity

        /// The payload of a Messages notification is not a Messages event.
        case noMessagesEvent
    }

    /// The kind of reason.
    public var reason: Reason

    /// A human-readable explanation.
    public var explanation: String

    /// Creates the value from its parts.
    public init(reason: Reason, explanation: String) {
        self.reason = reason
        self.explanation = explanation
    }
}

extension DeviceEffect: Codable {
    /// The names of the effects: the values of `type`.
    public enum Kind: String, StringChoice {
        case eventIgnored
        case automaticSharingConsidered
        case highlightsChanged
        case attributionProvided
        case presentationChanged
        case conversationPresented
        case disambiguationPresented
        case messageSent
        case contentReturned
        case menuItemChosen
        case associationUpdated
        case notificationPosted
        case notificationUpdated
        case appCalled
        case liveActivityChanged
        case repetitionIgnored
        case notificationDiscarded
        case sceneActivated
        case sceneOpened
        case urlOpened
        case sceneLeft
        case activityOffered
        case deviceRestored
        case nothingToOpen
    }

    private enum Field: String, CodingKey {
        case type
        case activity
        case app
        case association
        case attribution
        case call
        case conversation
        case departure
        case disambiguation
        case ignored
        case liveActivity
        case menuItem
        case message
        case notification
        case offer
        case opened
        case place
        case presentation
        case recipients
        case scene
        case topic
        case update
        case url
    }

    /// Parses an effect: an object whose `type` names it.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        func read<Value: Decodable>(_ field: Field) throws -> Value {
            try fields.decode(Value.self, forKey: field)
        }
        self =
            switch try fields.decode(Kind.self, forKey: .type) {
            case .eventIgnored: .eventIgnored(try read(.ignored))
            case .automaticSharingConsidered: .automaticSharingConsidered(try read(.offer))
            case .highlightsChanged: .highlightsChanged(try read(.update))
            case .attributionProvided: .attributionProvided(try read(.attribution))
            case .presentationChanged: .presentationChanged(try read(.presentation))
            case .conversationPresented: .conversationPresented(try read(.conversation))
            case .disambiguationPresented: .disambiguationPresented(try read(.disambiguation))
            case .messageSent:
                .messageSent(
                    try read(.message),
                    to: try fields.decodeIfPresent([MessageRecipient].self, forKey: .recipients) ?? []
                )
            case .contentReturned: .contentReturned(try read(.place))
            case .menuItemChosen: .menuItemChosen(try read(.menuItem))
            case .associationUpdated: .associationUpdated(try read(.association))
            case .notificationPosted: .notificationPosted(try read(.notification))
            case .notificationUpdated: .notificationUpdated(try read(.notification))
            case .appCalled: .appCalled(try read(.app), try read(.call))
            case .liveActivityChanged: .liveActivityChanged(try read(.liveActivity))
            case .repetitionIgnored: .repetitionIgnored(try read(.notification))
            case .notificationDiscarded: .notificationDiscarded(try read(.notification), try read(.topic))
            case .sceneActivated: .sceneActivated(try read(.opened))
            case .sceneOpened: .sceneOpened(try read(.scene))
            case .urlOpened: .urlOpened(try read(.url))
            case .sceneLeft: .sceneLeft(try read(.departure))
            case .activityOffered: .activityOffered(try read(.activity))
            case .deviceRestored: .deviceRestored
            case .nothingToOpen: .nothingToOpen(try read(.notification))
            }
    }

    /// Writes the name and the fields of the effect.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Field.self)
        let (kind, fields) = written
        try container.encode(kind, forKey: .type)
        try container.encode(fields)
    }

    private var written: (kind: Kind, fields: KeyValuePairs<Field, (any Encodable)?>) {
        switch self {
        case .eventIgnored(let ignored): (.eventIgnored, [.ignored: ignored])
        case .automaticSharingConsidered(let offer): (.automaticSharingConsidered, [.offer: offer])
        case .highlightsChanged(let update): (.highlightsChanged, [.update: update])
        case .attributionProvided(let view): (.attributionProvided, [.attribution: view])
        case .presentationChanged(let notice): (.presentationChanged, [.presentation: notice])
        case .conversationPresented(let presented): (.conversationPresented, [.conversation: presented])
        case .disambiguationPresented(let menu): (.disambiguationPresented, [.disambiguation: menu])
        case .messageSent(let message, let recipients):
            (.messageSent, [.message: message, .recipients: recipients.isEmpty ? nil : recipients])
        case .contentReturned(let place): (.contentReturned, [.place: place])
        case .menuItemChosen(let chosen): (.menuItemChosen, [.menuItem: chosen])
        case .associationUpdated(let file): (.associationUpdated, [.association: file])
        case .notificationPosted(let notification): (.notificationPosted, [.notification: notification])
        case .notificationUpdated(let notification): (.notificationUpdated, [.notification: notification])
        case .appCalled(let app, let call): (.appCalled, [.app: app, .call: call])
        case .liveActivityChanged(let activity): (.liveActivityChanged, [.liveActivity: activity])
        case .repetitionIgnored(let notification): (.repetitionIgnored, [.notification: notification])
        case .notificationDiscarded(let notification, let topic):
            (.notificationDiscarded, [.notification: notification, .topic: topic])
        case .sceneActivated(let opened): (.sceneActivated, [.opened: opened])
        case .sceneOpened(let opened): (.sceneOpened, [.scene: opened])
        case .urlOpened(let opened): (.urlOpened, [.url: opened])
        case .sceneLeft(let departure): (.sceneLeft, [.departure: departure])
        case .activityOffered(let offered): (.activityOffered, [.activity: offered])
        case .deviceRestored: (.deviceRestored, [:])
        case .nothingToOpen(let notification): (.nothingToOpen, [.notification: notification])
        }
    }
}

/// The reaction of a device to a journal entry.
public struct DeviceReaction: Codable, Sendable, Equatable {
    /// The effects, in order.
    public var effects: [DeviceEffect]

    /// The next time at which something changes without an event, so that a `timePassed` is due; absent if there is
    /// none.
    public var nextDeadline: Timestamp?

    /// Creates the value from its parts.
    public init(effects: [DeviceEffect], nextDeadline: Timestamp? = nil) {
        self.effects = effects
        self.nextDeadline = nextDeadline
    }
}
