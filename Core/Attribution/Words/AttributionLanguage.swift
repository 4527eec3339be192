/// A language that the words of attribution views, menus and shelves are in.
public enum AttributionLanguage: String, Sendable, CaseIterable, Codable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
    case japanese = "ja"
    case korean = "ko"

    /// Creates the language that is closest to what a tag names.
    ///
    /// It is English where there is nothing closer, and for Chinese in traditional script.
    ///
    /// - Parameter tag: a BCP 47 tag, such as `ja` or `zh-Hans-CN`; underscores do as well.
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

    /// Returns whether a tag names one of the languages, so that a person who speaks it reads their own.
    public static func has(tag: String) -> Bool {
        let isEnglish = tag.lowercased().split { $0 == "-" || $0 == "_" }.first == "en"
        return isEnglish || Self(tag: tag) != .english
    }

    /// Chinese is in simplified script where nothing says otherwise (CLDR, likely subtags).
    private static func isSimplified(_ subtags: ArraySlice<Substring>) -> Bool {
        if subtags.contains("hans") { return true }
        return subtags.allSatisfy { !["hant", "tw", "hk", "mo"].contains($0) }
    }
}
