internal import WaypostSchema

extension ShownConversation {
    /// The most people whose names make a title; of others there is the number.
    static let mostNames = 3

    /// Creates a conversation with its title: the name of the group, or else who takes part, or else who shared the link.
    init(_ conversation: SharedConversation, in language: AttributionLanguage) {
        let name = PlainText.plain(conversation.name ?? "")
        self.init(id: conversation.id, title: name.isEmpty ? Self.names(in: conversation, language) : name)
    }

    private static func names(in conversation: SharedConversation, _ language: AttributionLanguage) -> String {
        let participants = conversation.participants.distinct
        let people = participants.isEmpty ? conversation.sharers.newestFirst : participants
        let names = PersonName.names(of: people.isEmpty ? [.unknown] : people, in: language)
        return NameList.text(
            names: Array(names.prefix(mostNames)),
            others: names.dropFirst(mostNames).count,
            in: language
        )
    }
}
