package import WaypostSchema

extension ContentSizeCategory {
    /// Parses a category as UIKit spells it in Swift (`extraLarge`) or in its constants (`XL`, `AccessibilityM`), or as
    /// SwiftUI does (`xLarge`, `accessibility1`); `nil` for another string.
    package init?(spelling string: String) {
        let prefix = "UICTContentSizeCategory"
        let name = string.hasPrefix(prefix) ? String(string.dropFirst(prefix.count)) : string
        guard let category = Self(rawValue: name) ?? Self.otherSpellings[name] else { return nil }
        self = category
    }

    private static let otherSpellings: [String: Self] = {
        let constants = [
            "XS", "S", "M", "L", "XL", "XXL", "XXXL", "AccessibilityM", "AccessibilityL", "AccessibilityXL",
            "AccessibilityXXL", "AccessibilityXXXL",
        ]
        let swiftUI = [
            "xSmall", "small", "medium", "large", "xLarge", "xxLarge", "xxxLarge", "accessibility1", "accessibility2",
            "accessibility3", "accessibility4", "accessibility5",
        ]
        let categories = allCases
        let pairs = Array(zip(constants, categories)) + Array(zip(swiftUI, categories))
        return Dictionary(pairs) { first, _ in first }
    }()
}
