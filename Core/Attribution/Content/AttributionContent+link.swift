public import WaypostSchema

extension AttributionContent {
    /// Creates the attribution content of a link.
    ///
    /// Each person who shared the link appears once, across all conversations. A person is identified by the contact
    /// card, or by the handle if there is none. The person who shared last comes first; of the same time, the one
    /// who comes first in the link. If nobody shared the link, the participants are shown; if there are none, an
    /// unknown sender is shown, so `people` is never empty. `conversations` is empty only if the link has none.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - language: the language of the text.
    public init(_ link: SharedLink, in language: AttributionLanguage) {
        let people = link.people
        let names = PersonName.names(of: people, in: language)
        self.init(
            people: zip(people, names).map { person, name in ShownPerson(person, named: name) },
            isPinned: link.isPinned,
            conversations: ConversationTitles.conversations(link.conversations, in: language),
            language: language
        )
    }

    /// A description for users who cannot see the view: all names, the pin and the number of conversations.
    public var label: String {
        var sentences = [Wording.sharedBy(people.map(\.name), in: language)]
        if isPinned {
            sentences.append(Phrase.pinned.text(in: language))
        }
        if conversations.count > 1 {
            sentences.append(Wording.conversations(conversations.count, in: language))
        }
        return Wording.sentences(sentences, in: language)
    }
}

extension SharedLink {
    /// The people to show with the link; never empty.
    fileprivate var people: [Person] {
        let sharers = conversations.flatMap(\.sharers).peopleLatestFirst
        let people = sharers.isEmpty ? conversations.flatMap(\.participants).distinct : sharers
        return people.isEmpty ? [.unknown] : people
    }
}
