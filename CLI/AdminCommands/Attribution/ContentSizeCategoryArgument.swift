internal import ArgumentParser
internal import WaypostSchema

/// A size of text, as people write it.
struct ContentSizeCategoryArgument {
    let category: ContentSizeCategory

    /// Reads a category as UIKit spells it in Swift (`extraLarge`) or in its constants (`XL`, `AccessibilityM`), or as
    /// SwiftUI does (`xLarge`, `accessibility1`).
    ///
    /// - Throws: `ValidationError` listing the names.
    init(_ argument: String) throws {
        let prefix = "UICTContentSizeCategory"
        let name = argument.hasPrefix(prefix) ? String(argument.dropFirst(prefix.count)) : argument
        guard let category = ContentSizeCategory(rawValue: name) ?? Self.otherSpellings[name] else {
            let names = ContentSizeCategory.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(argument)' is no size of text; these are: \(names)")
        }
        self.category = category
    }

    private static let otherSpellings: [String: ContentSizeCategory] = {
        let constants = [
            "XS", "S", "M", "L", "XL", "XXL", "XXXL", "AccessibilityM", "AccessibilityL", "AccessibilityXL",
            "AccessibilityXXL", "AccessibilityXXXL",
        ]
        let swiftUI = [
            "xSmall", "small", "medium", "large", "xLarge", "xxLarge", "xxxLarge", "accessibility1", "accessibility2",
            "accessibility3", "accessibility4", "accessibility5",
        ]
        let categories = ContentSizeCategory.allCases
        let pairs = Array(zip(constants, categories)) + Array(zip(swiftUI, categories))
        return Dictionary(pairs) { first, _ in first }
    }()
}
