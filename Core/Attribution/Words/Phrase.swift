/// A phrase in attribution views, menus, offers, shelves and notifications.
///
/// All texts are in one table, `Phrase.words`. `%@` is a placeholder that the functions of `Wording` fill in.
public enum Phrase: Sendable, CaseIterable {
    /// The heading of a shelf.
    case sharedWithYou

    /// The button that shows all items of a shelf.
    case showMore

    /// The menu item that opens the conversation.
    case reply

    /// The menu item that removes the content.
    case remove

    /// A title that an app may give the Remove item.
    case removeLink

    /// The menu item that changes nothing.
    case cancel

    /// The mark of a pinned link.
    case pinned

    /// The name of a person without a name.
    case unknownPerson

    /// The number of people in addition to those named, if it is one.
    case oneOther

    /// The number of people in addition to those named, if it is more than one.
    case severalOthers

    /// The question of a menu of conversations.
    case conversationQuestion

    /// The question of the offer of automatic sharing, with the name of the app.
    case sharingQuestion

    /// The explanation of automatic sharing.
    case sharingMessage

    /// The answer that turns automatic sharing on.
    case turnOn

    /// The answer that leaves automatic sharing off.
    case notNow

    /// The people who shared something, for users who cannot see the view.
    case sharedBy

    /// The number of conversations.
    case severalConversations

    /// The time of a notification that has just arrived.
    case now

    /// The time of a notification, in minutes before now.
    case minutesAgo

    /// The time of a notification, in hours before now.
    case hoursAgo

    /// The time of a notification, in days before now.
    case daysAgo

    /// The number of older notifications in a group.
    case severalMore

    /// Returns the phrase in a language, with its placeholder if it has one.
    public func text(in language: AttributionLanguage) -> String {
        let words = words
        return switch language {
        case .english: words.english
        case .simplifiedChinese: words.simplifiedChinese
        case .japanese: words.japanese
        case .korean: words.korean
        }
    }

    /// Returns the phrase in a language with a text in place of `%@`.
    func text(in language: AttributionLanguage, with argument: String) -> String {
        text(in: language)
            .split(separator: "%@", maxSplits: 1, omittingEmptySubsequences: false)
            .joined(separator: argument)
    }
}
