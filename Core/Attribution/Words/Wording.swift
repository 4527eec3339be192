internal import WaypostSchema

/// Phrases with their placeholders filled in: names, numbers, an app.
public enum Wording {
    /// Returns the number of people in addition to those named, such as `2 others`.
    public static func others(_ count: Int, in language: AttributionLanguage) -> String {
        count == 1
            ? Phrase.oneOther.text(in: language)
            : Phrase.severalOthers.text(in: language, with: String(count))
    }

    /// The maximum number of grapheme clusters of an app's name in a question (Waypost's own limit).
    ///
    /// It keeps the question itself visible.
    static let maximumAppNameLength = 40

    /// Returns the question of the offer of automatic sharing.
    ///
    /// - Parameters:
    ///   - app: the app's name; it is made plain and isolated, and a long name is shortened with an ellipsis.
    ///   - language: the language.
    /// - Returns: a question.
    public static func sharingQuestion(app: String, in language: AttributionLanguage) -> String {
        let name = PlainText.plain(app)
        let shortenedName = String(name.prefix(maximumAppNameLength))
        let shownName = shortenedName == name ? name : shortenedName.withoutSpaceAtEnd + "…"
        return Phrase.sharingQuestion.text(in: language, with: shownName.isolated)
    }

    /// Returns a sentence with the people who shared something.
    ///
    /// - Parameters:
    ///   - names: the names of these people; not empty.
    ///   - language: the language.
    /// - Returns: a sentence without a period at the end.
    public static func sharedBy(_ names: [String], in language: AttributionLanguage) -> String {
        Phrase.sharedBy.text(in: language, with: NameList.text(names: names, others: 0, in: language))
    }

    /// Returns the number of conversations in which something was shared, if it is at least two.
    public static func conversations(_ count: Int, in language: AttributionLanguage) -> String {
        Phrase.severalConversations.text(in: language, with: String(count))
    }

    /// Returns the time that has passed since a notification arrived, in its largest unit.
    static func time(since arrival: Timestamp, at now: Timestamp, in language: AttributionLanguage) -> String {
        let minutes = max(0, now.rawValue - arrival.rawValue) / 60_000
        let (phrase, count): (Phrase, Int) =
            switch minutes {
            case 0: (.now, 0)
            case ..<60: (.minutesAgo, minutes)
            case ..<1_440: (.hoursAgo, minutes / 60)
            default: (.daysAgo, minutes / 1_440)
            }
        return phrase.text(in: language, with: String(count))
    }

    /// Returns sentences as one text, with a period between them and none at the end.
    static func sentences(_ sentences: [String], in language: AttributionLanguage) -> String {
        let separator =
            switch language {
            case .english, .korean: ". "
            case .simplifiedChinese, .japanese: "。"
            }
        return sentences.joined(separator: separator)
    }
}
