/// Phrases with what they are about: names, numbers, an app.
public enum Wording {
    /// Returns how many people there are besides those who are named, such as `2 others`.
    public static func others(_ count: Int, in language: AttributionLanguage) -> String {
        count == 1
            ? Phrase.oneOther.text(in: language)
            : Phrase.severalOthers.text(in: language, with: String(count))
    }

    /// How many grapheme clusters of an app's name are in a question, so that the question itself is read (ours).
    static let mostOfAppName = 40

    /// Returns what the offer of automatic sharing asks.
    ///
    /// - Parameters:
    ///   - app: the app's name; it is made plain and isolated, and of a long one the beginning is left with an ellipsis.
    ///   - language: the language.
    /// - Returns: a question.
    public static func sharingQuestion(app: String, in language: AttributionLanguage) -> String {
        let name = PlainText.plain(app)
        let beginning = String(name.prefix(mostOfAppName))
        let shown = beginning == name ? name : beginning.withoutSpaceAtEnd + "…"
        return Phrase.sharingQuestion.text(in: language, with: shown.isolated)
    }

    /// Returns who shared something.
    ///
    /// - Parameters:
    ///   - names: the names of all who did; not empty.
    ///   - language: the language.
    /// - Returns: a sentence without a full stop.
    public static func sharedBy(_ names: [String], in language: AttributionLanguage) -> String {
        Phrase.sharedBy.text(in: language, with: NameList.text(names: names, others: 0, in: language))
    }

    /// Returns in how many conversations something was shared, of two and more.
    public static func conversations(_ count: Int, in language: AttributionLanguage) -> String {
        Phrase.severalConversations.text(in: language, with: String(count))
    }

    /// Returns sentences as one text, with a full stop between each two and none at the end.
    static func sentences(_ sentences: [String], in language: AttributionLanguage) -> String {
        let stop =
            switch language {
            case .english, .korean: ". "
            case .simplifiedChinese, .japanese: "。"
            }
        return sentences.joined(separator: stop)
    }
}
