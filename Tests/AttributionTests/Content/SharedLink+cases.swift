import WaypostSchema

extension SharedLink {
    /// Returns a link from conversations.
    static func from(_ conversations: [SharedConversation], isPinned: Bool = false) -> SharedLink {
        SharedLink(url: "https://example.com/playlist", isPinned: isPinned, conversations: conversations)
    }
}

extension SharedConversation {
    /// Returns a conversation in which people shared a link at the given seconds.
    static func of(
        _ id: ConversationID,
        name: String? = nil,
        with participants: [Person] = [],
        sharedBy sharers: [(Person, Int)] = []
    ) -> SharedConversation {
        SharedConversation(
            id: id,
            name: name,
            participants: participants,
            sharers: sharers.map { Sharer(person: $0, sharedAt: Timestamp(milliseconds: $1 * 1_000)) }
        )
    }
}

extension Person {
    static let enrique = Person.named("Enrique", "Sánchez", id: "enrique", handle: "+1 555 0100")
    static let sarah = Person.named("Sarah", "Kim", id: "sarah", handle: "sarah@example.com")
    static let ada = Person.named("Ada", "Lee", id: "ada", handle: "ada@example.com")
    static let bo = Person.named("Bo", "Lee", id: "bo", handle: "bo@example.com")
}
