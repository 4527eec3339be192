/// A language for the text of attribution views, menus and shelves.
public enum AttributionLanguage: String, Sendable, CaseIterable, Codable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
    case japanese = "ja"
    case korean = "ko"

    /// Creates the language that is closest to a language tag.
    ///
    /// It is English if no other language is closer, and for Chinese in traditional script.
    ///
    /// - Parameter tag: a BCP 47 tag, such as `ja` or `zh-Hans-CN`; underscores are accepted too.
    public init(tag: String) {
        let parts = tag.lowercased().split { $0 == "-" || $0 == "_" }
        self =
            switch parts.first {
            case "zh" where Self.isSimplified(parts.dropFirst()): .simplifiedChinese
            case "ja": .japanese
            case "ko": .korean
            default: .english
            }
    }

    /// Returns whether a tag is for one of the languages, so that its speakers get text in their own language.
    public static func supports(tag: String) -> Bool {
        let isEnglish = tag.lowercased().split { $0 == "-" || $0 == "_" }.first == "en"
        return isEnglish || Self(tag: tag) != .english
    }

    /// Returns whether Chinese subtags mean simplified script, which is the default (CLDR, likely subtags).
    private static func isSimplified(_ subtags: ArraySlice<Substring>) -> Bool {
        if subtags.contains("hans") { return true }
        return subtags.allSatisfy { !["hant", "tw", "hk", "mo"].contains($0) }
    }
}
