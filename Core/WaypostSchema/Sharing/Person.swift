/// A participant in Messages.
public struct Person: Codable, Sendable, Equatable {
    /// The participant's address.
    public var handle: Handle

    /// The participant's card; absent if they are not a contact.
    public var contact: Contact?

    /// Creates the value from its parts.
    public init(handle: Handle, contact: Contact? = nil) {
        self.handle = handle
        self.contact = contact
    }
}
