internal import WaypostSchema

/// The titles of a link's conversations, all different, so that the user can choose one.
///
/// A title is the name of the group, or else the participants, or else the people who shared the link. Equal titles get
/// a detail: the participants of a group, or the handles of people. Titles that are still equal get a number.
struct ConversationTitles {
    /// The maximum number of names in a title; other people are only counted.
    static let maximumNames = 3

    private let language: AttributionLanguage

    /// The names of all people in the conversations, as they are shown together.
    private let names: [PersonIdentity: String]

    /// Returns the conversations with their titles.
    static func conversations(
        _ sharedConversations: [SharedConversation],
        in language: AttributionLanguage
    ) -> [ShownConversation] {
        let titles = Self(of: sharedConversations, in: language)
        let shortTitles = sharedConversations.map(titles.title)
        let longerTitles = zip(sharedConversations, shortTitles).map { conversation, title in
            shortTitles.count { $0 == title } == 1 ? title : "\(title) (\(titles.detail(of: conversation)))"
        }
        var titleCounts: [String: Int] = [:]
        return zip(sharedConversations, longerTitles).map { conversation, title in
            titleCounts[title, default: 0] += 1
            let count = titleCounts[title] ?? 1
            return ShownConversation(
                id: conversation.id,
                title: count == 1 ? title : "\(title) \(count)",
                people: titles.shownPeople(of: conversation)
            )
        }
    }

    /// Returns the people whose avatars are beside the title.
    private func shownPeople(of conversation: SharedConversation) -> [ShownPerson] {
        conversation.people.compactMap { person in
            names[PersonIdentity(of: person)].map { ShownPerson(person, named: $0) }
        }
    }

    private init(of sharedConversations: [SharedConversation], in language: AttributionLanguage) {
        self.language = language
        let people = sharedConversations.flatMap(\.people).distinct
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
        let others = texts.dropFirst(Self.maximumNames).count
        return NameList.text(names: Array(texts.prefix(Self.maximumNames)), others: others, in: language)
    }
}

extension SharedConversation {
    /// The people whose names make up the title; never empty.
    fileprivate var people: [Person] {
        let participants = participants.distinct
        let people = participants.isEmpty ? sharers.peopleLatestFirst : participants
        return people.isEmpty ? [.unknown] : people
    }
}
