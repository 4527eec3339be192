/// A language that the words of attribution views, menus and shelves are in.
public enum AttributionLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
    case japanese = "ja"
    case korean = "ko"
}
