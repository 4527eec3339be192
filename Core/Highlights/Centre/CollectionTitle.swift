/// The heading over an app's highlights (`SWHighlightCenter.highlightCollectionTitle`).
public enum CollectionTitle {
    /// Returns the title in a language.
    ///
    /// - Parameter language: a BCP 47 tag, such as `ja` or `zh-Hans-CN`.
    /// - Returns: the title in that language where it is Chinese in simplified script, Japanese or Korean; in English in
    ///   all others.
    public static func text(in language: String) -> String {
        let parts = language.lowercased().split { $0 == "-" || $0 == "_" }
        return switch parts.first {
        case "zh" where isSimplified(parts.dropFirst()): "与你共享"
        case "ja": "あなたと共有"
        case "ko": "나와 공유된 항목"
        default: "Shared with You"
        }
    }

    /// Chinese is in simplified script where nothing says otherwise (CLDR, likely subtags).
    private static func isSimplified(_ subtags: ArraySlice<Substring>) -> Bool {
        if subtags.contains("hans") { return true }
        return subtags.allSatisfy { !["hant", "tw", "hk", "mo"].contains($0) }
    }
}
