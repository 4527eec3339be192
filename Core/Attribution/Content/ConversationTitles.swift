internal import WaypostSchema

/// The titles of the conversations that a link is from, each another, as a person chooses one of them.
///
/// A title is the name of the group, or else who takes part, or else who shared the link. Where two would be the same, each
/// says more: of a group who takes part, of people where they are reached; and what is the same even then has a number.
struct ConversationTitles {
    /// The most people whose names make a title; of others there is the number.
    static let mostNames = 3

    private let language: AttributionLanguage

    /// What everybody in any of the conversations is called, beside each other.
    private let names: [PersonIdentity: String]

    /// Returns the conversations with their titles.
    static func conversations(_ shared: [SharedConversation], in language: AttributionLanguage) -> [ShownConversation] {
        let titles = Self(of: shared, in: language)
        let short = shared.map(titles.title)
        let longer = zip(shared, short).map { conversation, title in
            short.count { $0 == title } == 1 ? title : "\(title) (\(titles.detail(of: conversation)))"
        }
        var seen: [String: Int] = [:]
        return zip(shared, longer).map { conversation, title in
            seen[title, default: 0] += 1
            let count = seen[title] ?? 1
            return ShownConversation(id: conversation.id, title: count == 1 ? title : "\(title) \(count)")
        }
    }

    private init(of shared: [SharedConversation], in language: AttributionLanguage) {
        self.language = language
        let people = shared.flatMap(\.people).distinct
        let names = PersonName.names(of: people, in: language)
        self.names = Dictionary(zip(people.map(PersonIdentity.init), names)) { first, _ in first }
    }

    private func title(of conversation: SharedConversation) -> String {
        let name = PlainText.plain(conversation.name ?? "")
        return name.isEmpty ? list(of: conversation) { names[PersonIdentity(of: $0)] } : name
    }

    private func detail(of conversation: SharedConversation) -> String {
        let hasName = !PlainText.plain(conversation.name ?? "").isEmpty
        return list(of: conversation) { person in
            let handle = PlainText.plain(person.handle.rawValue)
            return hasName || handle.isEmpty ? names[PersonIdentity(of: person)] : handle
        }
    }

    private func list(of conversation: SharedConversation, _ text: (Person) -> String?) -> String {
        let texts = conversation.people.compactMap(text)
        let others = texts.dropFirst(Self.mostNames).count
        return NameList.text(names: Array(texts.prefix(Self.mostNames)), others: others, in: language)
    }
}

extension SharedConversation {
    /// Who makes the title; never empty.
    fileprivate var people: [Person] {
        let participants = participants.distinct
        let people = participants.isEmpty ? sharers.newestFirst : participants
        return people.isEmpty ? [.unknown] : people
    }
}
