import WaypostSchema

extension Person {
    /// Returns somebody with a card.
    static func named(
        _ given: String? = nil,
        _ family: String? = nil,
        nickname: String? = nil,
        language: String? = nil,
        id: ContactID = "card",
        handle: Handle = "somebody@example.com"
    ) -> Person {
        let contact = Contact(
            id: id,
            givenName: given,
            familyName: family,
            nickname: nickname,
            language: language,
            handles: [handle]
        )
        return Person(handle: handle, contact: contact)
    }
}
