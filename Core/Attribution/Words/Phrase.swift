/// Words that a person reads in attribution views, menus, offers and shelves.
///
/// The words are in one table, `Phrase.words`. `%@` stands for what is known only when they are shown; the functions of
/// `Wording` fill it in.
public enum Phrase: Sendable, CaseIterable {
    /// The heading of a shelf.
    case sharedWithYou

    /// What shows everything where a shelf shows the beginning.
    case showMore

    /// The item of a menu that opens the conversation.
    case reply

    /// The item of a menu that removes the content.
    case remove

    /// A title that an app may give that item.
    case removeLink

    /// The item of a menu that changes nothing.
    case cancel

    /// Said of what is pinned.
    case pinned

    /// The name of who has none.
    case unknownPerson

    /// How many people there are besides those who are named: one.
    case oneOther

    /// The same of several.
    case severalOthers

    /// What a menu of conversations asks.
    case conversationQuestion

    /// What the offer of automatic sharing asks, with the name of the app.
    case sharingQuestion

    /// What automatic sharing does.
    case sharingMessage

    /// The answer that turns it on.
    case turnOn

    /// The answer that leaves it off.
    case notNow

    /// Who shared something, for who does not see it.
    case sharedBy

    /// In how many conversations.
    case severalConversations

    /// Returns the words in a language, as they stand in the table.
    public func text(in language: AttributionLanguage) -> String {
        let words = words
        return switch language {
        case .english: words.english
        case .simplifiedChinese: words.simplifiedChinese
        case .japanese: words.japanese
        case .korean: words.korean
        }
    }

    /// Returns the words in a language with something in the place of `%@`.
    func text(in language: AttributionLanguage, with argument: String) -> String {
        text(in: language)
            .split(separator: "%@", maxSplits: 1, omittingEmptySubsequences: false)
            .joined(separator: argument)
    }
}
