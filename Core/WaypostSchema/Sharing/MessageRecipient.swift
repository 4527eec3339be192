/// A participant of a conversation in which the user sends a message.
public struct MessageRecipient: Codable, Sendable, Equatable {
    /// The participant's phone number or email address.
    public var handle: Handle

    /// The card in Contacts with the handle; absent if there is none.
    public var contact: ContactID?

    /// The tokens of the devices to which the message goes.
    public var tokens: [DeviceToken]

    /// The reason why the message goes to these devices, or to none.
    public var explanation: String

    /// Creates the value from its parts.
    public init(handle: Handle, contact: ContactID? = nil, tokens: [DeviceToken], explanation: String) {
        self.handle = handle
        self.contact = contact
        self.tokens = tokens
        self.explanation = explanation
    }
}
