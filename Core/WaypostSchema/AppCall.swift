/// A call of the system to a function of an app, which waits until a process of the app finishes it.
public struct AppCall: Codable, Sendable, Equatable {
    /// The functions that the system calls.
    public enum Function: String, StringChoice {
        /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
        case didReceiveRemoteNotification

        /// `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
        case willPresent

        /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`, for an action that opens no scene.
        case didReceiveResponse

        /// `pushRegistry(_:didReceiveIncomingPushWith:for:completion:)` of PushKit, or
        /// `incomingPushResult(channelManager:channelUUID:pushPayload:)` of PushToTalk.
        case didReceiveIncomingPush

        /// `didReceive(_:withContentHandler:)` of the app's notification service extension, in a process of its own.
        case didReceiveRequest
    }

    /// The number on the device; later calls have greater numbers.
    public var number: Int

    /// The function.
    public var function: Function

    /// The notification: its payload, and for a response the action.
    public var notification: NotificationResponse

    /// The push type; absent for `alert`.
    public var pushType: PushType?

    /// The time at which the system stops waiting for the app.
    public var deadline: Timestamp

    /// Creates the value from its parts.
    public init(
        number: Int,
        function: Function,
        notification: NotificationResponse,
        pushType: PushType? = nil,
        deadline: Timestamp
    ) {
        self.number = number
        self.function = function
        self.notification = notification
        self.pushType = pushType
        self.deadline = deadline
    }
}

/// The value that an app gives to the completion handler of a call.
///
/// Each function reads its own member, and ignores the others.
public struct AppCallResult: Codable, Sendable, Equatable {
    /// The result of a background update (`UIBackgroundFetchResult`).
    public enum FetchResult: String, StringChoice {
        /// There was new data.
        case newData

        /// There was nothing new.
        case noData

        /// The data could not be loaded.
        case failed
    }

    /// The answer to `didReceiveRemoteNotification`; `noData` if absent.
    public var fetchResult: FetchResult?

    /// The answer to `willPresent`: the parts of the notification that the user sees and hears; if absent, those that the
    /// app's description names (`foregroundPresentation`).
    public var presentationOptions: [PresentationOption]?

    /// The answer to `didReceiveRequest`: the payload as the extension changed it; the original one if absent.
    public var payload: JSONValue?

    /// Creates the value from its parts.
    public init(
        fetchResult: FetchResult? = nil,
        presentationOptions: [PresentationOption]? = nil,
        payload: JSONValue? = nil
    ) {
        self.fetchResult = fetchResult
        self.presentationOptions = presentationOptions
        self.payload = payload
    }
}

/// A part of a notification that appears while its app is in the foreground (`UNNotificationPresentationOptions`).
public enum PresentationOption: String, StringChoice {
    /// The banner.
    case banner

    /// The entry in the list.
    case list

    /// The sound.
    case sound

    /// The badge.
    case badge
}

/// A group of actions that the notifications with its identifier offer (`UNNotificationCategory`).
public struct NotificationCategory: Codable, Sendable, Equatable {
    /// The identifier, for `aps.category`.
    public var identifier: String

    /// The actions, in their order.
    public var actions: [NotificationAction]

    /// Whether the app is called if the user dismisses a notification (`customDismissAction`); absent for no.
    public var customDismissAction: Bool?

    /// Creates the value from its parts.
    public init(identifier: String, actions: [NotificationAction], customDismissAction: Bool? = nil) {
        self.identifier = identifier
        self.actions = actions
        self.customDismissAction = customDismissAction
    }
}

/// A button below a notification (`UNNotificationAction`, `UNTextInputNotificationAction`).
public struct NotificationAction: Codable, Sendable, Equatable {
    /// The behaviors of an action (`UNNotificationActionOptions`).
    public enum Option: String, StringChoice {
        /// A scene of the app opens.
        case foreground

        /// The title is drawn as a warning.
        case destructive

        /// The device must be unlocked.
        case authenticationRequired
    }

    /// The identifier that the app receives.
    public var identifier: String

    /// The title of the button.
    public var title: String

    /// The behaviors; absent for none.
    public var options: [Option]?

    /// The title of the button beside the text field; absent for an action without text.
    public var textInputButtonTitle: String?

    /// The text in the empty field; absent for none.
    public var textInputPlaceholder: String?

    /// Creates the value from its parts.
    public init(
        identifier: String,
        title: String,
        options: [Option]? = nil,
        textInputButtonTitle: String? = nil,
        textInputPlaceholder: String? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.textInputButtonTitle = textInputButtonTitle
        self.textInputPlaceholder = textInputPlaceholder
    }
}

/// A way in which an app runs in the background (`UIBackgroundModes`).
public enum BackgroundMode: String, StringChoice {
    /// Background notifications start the app.
    case remoteNotification = "remote-notification"

    /// Pushes of the type `voip` start the app.
    case voip

    /// Pushes of the type `pushtotalk` start the app.
    case pushToTalk = "push-to-talk"
}

/// The text that the user enters for an action of a notification.
public struct ActionText: Codable, Sendable, Equatable {
    /// The text; absent for an action without text.
    public var text: String?

    /// Creates the value from its parts.
    public init(text: String? = nil) {
        self.text = text
    }
}
