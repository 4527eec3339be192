/// A call of the system to a function of an app, which waits until a process of the app finishes it.
public struct AppCall: Codable, Sendable, Equatable {
    /// The functions that the system calls.
    public enum Function: String, StringEnum {
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

        /// `didReceiveLocationPushPayload(_:completion:)` of the app's location push service extension.
        case didReceiveLocationPush

        /// `enumerateChanges(for:from:)` of the app's file provider extension, whose enumerator the system signals.
        case enumerateChanges

        /// `getTimeline(in:completion:)` of the app's widgets, which are reloaded.
        case reloadTimelines

        /// `currentValue()` of the app's controls, which are reloaded.
        case reloadControl
    }

    /// The number on the device; later calls have greater numbers.
    public var number: Int

    /// The function.
    public var function: Function

    /// The notification: its payload, and for a response the action.
    public var notification: NotificationResponse

    /// The push type; absent for `alert`.
    public var pushType: PushType?

    /// Whether the app must report a call for a VoIP push (`mustReport`); absent if the system of the device does not
    /// say so.
    public var mustReport: Bool?

    /// The time at which the system stops waiting for the app.
    public var deadline: Timestamp

    /// The method that the system calls, as Apple spells it; only in a `called` event, and in the effect of a call to
    /// an extension that has no process.
    public var method: String?

    /// Creates the value from its parts.
    public init(
        number: Int,
        function: Function,
        notification: NotificationResponse,
        pushType: PushType? = nil,
        mustReport: Bool? = nil,
        deadline: Timestamp,
        method: String? = nil
    ) {
        self.number = number
        self.function = function
        self.notification = notification
        self.pushType = pushType
        self.mustReport = mustReport
        self.deadline = deadline
        self.method = method
    }
}
