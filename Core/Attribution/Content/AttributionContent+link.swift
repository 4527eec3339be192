public import WaypostSchema

extension AttributionContent {
    /// Creates what is to show of a link.
    ///
    /// Whoever shared it is there once, over all conversations: people are the same by their card, or by their handle
    /// where they have none. Whoever shared it last is first, and of the same moment who is first by identifier (ours).
    /// With no one who shared it those who take part are shown, and with none of them somebody unknown, so that `people`
    /// is never empty. `conversations` is empty only where the link's are.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - language: the language of the words.
    public init(_ link: SharedLink, in language: AttributionLanguage) {
        let people = link.people
        let names = PersonName.names(of: people, in: language)
        self.init(
            people: zip(people, names).map { person, name in
                ShownPerson(name: name, monogram: Monogram(of: person), color: AvatarColor(of: person))
            },
            isPinned: link.isPinned,
            conversations: ConversationTitles.conversations(link.conversations, in: language),
            language: language
        )
    }

    /// Everything that is to be seen, in words, for who does not see it: all names, the pin, how many conversations.
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
    /// Who is shown with the link; never empty.
    fileprivate var people: [Person] {
        let sharers = conversations.flatMap(\.sharers).newestFirst
        let people = sharers.isEmpty ? conversations.flatMap(\.participants).distinct : sharers
        return people.isEmpty ? [.unknown] : people
    }
}
