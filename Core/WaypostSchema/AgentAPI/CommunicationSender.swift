/// The sender of a communication notification, as the app knows them (`INPerson`).
///
/// The device looks for the sender in Contacts, and tells the app nothing about that.
public struct CommunicationSender: Codable, Sendable, Equatable {
    /// The name that the app has for the sender; absent for none.
    public var name: String?

    /// The sender's phone number, email address or name in the app; absent for none.
    public var handle: String?

    /// The identifier of the sender's card in Contacts (`contactIdentifier`); absent for none.
    public var contact: String?

    /// Creates the value from its parts.
    public init(name: String? = nil, handle: String? = nil, contact: String? = nil) {
        self.name = name
        self.handle = handle
        self.contact = contact
    }
}
