public import WaypostSchema

/// The rule for an app's title of the menu item that removes its content.
///
/// The talk requires the word "Remove", and the platform's header the word "Hide". Either is accepted, in the user's
/// language.
public enum HideTitleRule {
    /// Returns the finding about a title.
    ///
    /// In English, the title must contain the whole word, in upper or lower case, in fullwidth or normal letters:
    /// "Removed" and "Unhide" do not count. Chinese and Japanese do not separate words, and Korean adds endings to
    /// them, so there the word may be anywhere in the title.
    ///
    /// - Parameters:
    ///   - title: the app's title.
    ///   - language: the user's language.
    /// - Returns: the finding, with what is accepted; `nil` if the title has the word.
    public static func finding(_ title: String, in language: AttributionLanguage) -> AttributionFinding? {
        let plain = PlainText.plain(title)
        guard !accepts(plain, in: language) else { return nil }
        let words = words(in: language)
        let example = Phrase.removeLink.text(in: language)
        let consequence = plain.isEmpty ? "it is blank, so the system's title is used" : "it is used anyway"
        return AttributionFinding(
            code: .hideTitleWithoutRemove,
            field: "menuTitleForHideAction",
            message: "the title needs the word \(quoted(words.prefix(1))) (or \(quoted(words.dropFirst()))), as in "
                + "\(quoted([example])), because the user's language is \(language.rawValue); \(consequence)"
        )
    }

    /// Returns the accepted words: the talk's, then the header's.
    static func words(in language: AttributionLanguage) -> [String] {
        let hide =
            switch language {
            case .english: ["Hide"]
            case .simplifiedChinese: ["隐藏"]
            case .japanese: ["非表示"]
            case .korean: ["가리기", "숨기기"]
            }
        return [Phrase.remove.text(in: language)] + hide
    }

    private static func accepts(_ title: String, in language: AttributionLanguage) -> Bool {
        let words = words(in: language)
        guard language == .english else { return words.contains(where: title.contains) }
        let lowercased = words.map { $0.lowercased() }
        let titleWords = replacingFullwidthForms(in: title).lowercased().split { !$0.isLetter }
        return titleWords.contains { lowercased.contains(String($0)) }
    }

    /// Returns a text with fullwidth ASCII forms replaced; these are in ASCII order, at an offset of 0xFEE0.
    private static func replacingFullwidthForms(in text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isFullwidth = ("\u{FF01}"..."\u{FF5E}").contains(scalar)
            scalars.append(isFullwidth ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
        }
        return String(scalars)
    }

    private static func quoted(_ words: some Sequence<String>) -> String {
        words.map { "“\($0)”" }.joined(separator: ", ")
    }
}
