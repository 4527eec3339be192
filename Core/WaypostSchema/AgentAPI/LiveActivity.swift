/// A Live Activity of an app on a device.
public struct LiveActivity: Codable, Sendable, Equatable {
    /// The states of a Live Activity (`ActivityState`).
    public enum State: String, StringEnum {
        /// It is shown, and receives updates.
        case active

        /// It is shown, receives updates, and its content is out of date.
        case stale

        /// It is shown, and receives no updates.
        case ended

        /// It is not shown.
        case dismissed
    }

    /// The notification that started it.
    public var id: NotificationID

    /// The app.
    public var app: BundleIdentifier

    /// The name of the app's type for the attributes (`attributes-type`).
    public var attributesType: String

    /// The part of the content that does not change.
    public var attributes: JSONValue

    /// The part of the content that updates change.
    public var contentState: JSONValue

    /// The state.
    public var state: State

    /// The `timestamp` of the last update, in seconds since 1970.
    public var timestamp: Int

    /// The time at which the content is out of date; absent for never.
    public var staleDate: Timestamp?

    /// The time at which the system ends it, if nothing does so before.
    public var endsAt: Timestamp

    /// The time at which it disappears after its end; absent while it is not ended.
    public var dismissalDate: Timestamp?

    /// The token for its updates; absent if it has none of its own, or none yet.
    public var token: DeviceToken?

    /// Creates the value from its parts.
    public init(
        id: NotificationID,
        app: BundleIdentifier,
        attributesType: String,
        attributes: JSONValue,
        contentState: JSONValue,
        state: State = .active,
        timestamp: Int,
        staleDate: Timestamp? = nil,
        endsAt: Timestamp,
        dismissalDate: Timestamp? = nil,
        token: DeviceToken? = nil
    ) {
        self.id = id
        self.app = app
        self.attributesType = attributesType
        self.attributes = attributes
        self.contentState = contentState
        self.state = state
        self.timestamp = timestamp
        self.staleDate = staleDate
        self.endsAt = endsAt
        self.dismissalDate = dismissalDate
        self.token = token
    }
}
