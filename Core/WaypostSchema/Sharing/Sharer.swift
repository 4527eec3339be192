/// A participant who shared a link.
public struct Sharer: Codable, Sendable, Equatable {
    /// The participant.
    public var person: Person

    /// The time at which they last shared it.
    public var sharedAt: Timestamp

    /// Creates the value from its parts.
    public init(person: Person, sharedAt: Timestamp) {
        self.person = person
        self.sharedAt = sharedAt
    }
}
