internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import WaypostSchema

/// How the person has set the device, as far as pictures are concerned.
struct TraitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The language of the words: en, zh-Hans, ja or ko (default: the device's).",
            valueName: "tag"
        )
    )
    var locale: String?

    @Option(
        help: ArgumentHelp("The size of text that the person prefers (default: the device's).", valueName: "category"),
        transform: ContentSizeCategory.init(argument:)
    )
    var contentSizeCategory: ContentSizeCategory?

    @Option(help: ArgumentHelp("How the device looks.", valueName: "style"))
    var style = NameArgument(Appearance.Style.light)

    /// Returns the traits of a device with what was asked for in their place.
    func applied(to traits: AttributionTraits) -> AttributionTraits {
        var applied = locale.map { AttributionTraits(language: $0) } ?? traits
        applied.preferredContentSizeCategory = contentSizeCategory ?? traits.preferredContentSizeCategory
        return applied
    }
}

extension ContentSizeCategory {
    /// Reads a category as UIKit spells it in Swift (`extraLarge`) or in its constants (`XL`, `AccessibilityM`), or as
    /// SwiftUI does (`xLarge`, `accessibility1`).
    ///
    /// - Throws: `ValidationError` listing the names.
    init(argument: String) throws {
        let prefix = "UICTContentSizeCategory"
        let name = argument.hasPrefix(prefix) ? String(argument.dropFirst(prefix.count)) : argument
        guard let category = Self(rawValue: name) ?? Self.otherSpellings[name] else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(argument)' is no size of text; these are: \(names)")
        }
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
