/// A notification that an app requests for itself (`UNNotificationRequest`), to be shown at once.
public struct LocalNotificationRequest: Codable, Sendable, Equatable {
    /// The identifier; a notification of the app with the same one is replaced.
    ///
    /// For a push, it is the collapse identifier.
    public var identifier: String

    /// The content, in the form of the payload of a push.
    public var payload: JSONValue

    /// The communication from which the app updated the content; absent for none.
    public var communication: Communication?

    /// Creates the value from its parts.
    public init(identifier: String, payload: JSONValue, communication: Communication? = nil) {
        self.identifier = identifier
        self.payload = payload
        self.communication = communication
    }
}
