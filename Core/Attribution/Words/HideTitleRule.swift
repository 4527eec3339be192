public import WaypostSchema

/// What the title must say that an app gives the item which removes its content.
///
/// The talk asks for the word "Remove", and the platform's header for "Hide": either is accepted, in the person's language.
public enum HideTitleRule {
    /// Returns what is odd about a title.
    ///
    /// In English the word stands by itself, in capitals or not, in narrow or wide letters: "Removed" and "Unhide" say
    /// something else. Chinese and Japanese do not separate words, and Korean adds endings to them: there it is found
    /// anywhere.
    ///
    /// - Parameters:
    ///   - title: the title that an app gives.
    ///   - language: the language of the person.
    /// - Returns: the finding with what would be accepted; `nil` where the title has the word.
    public static func finding(_ title: String, in language: AttributionLanguage) -> AttributionFinding? {
        let plain = PlainText.plain(title)
        guard !accepts(plain, in: language) else { return nil }
        let words = words(in: language)
        let example = Phrase.removeLink.text(in: language)
        let use = plain.isEmpty ? "it is blank, and the system's title is used" : "it is used all the same"
        return AttributionFinding(
            code: .hideTitleWithoutRemove,
            field: "menuTitleForHideAction",
            message: "the title needs the word \(quoted(words.prefix(1))) (or \(quoted(words.dropFirst()))), as in "
                + "\(quoted([example])), as the person's language is \(language.rawValue); \(use)"
        )
    }

    /// Returns the words of which a title has one: the talk's, then the header's.
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
        return narrow(title).lowercased().split { !$0.isLetter }.contains { lowercased.contains(String($0)) }
    }

    /// Wide forms of ASCII stand in its order, 0xFEE0 further on.
    private static func narrow(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isWide = ("\u{FF01}"..."\u{FF5E}").contains(scalar)
            scalars.append(isWide ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
        }
        return String(scalars)
    }

    private static func quoted(_ words: some Sequence<String>) -> String {
        words.map { "“\($0)”" }.joined(separator: ", ")
    }
}
