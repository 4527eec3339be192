internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import WaypostSchema

/// What an app asks of an attribution view, one option a property of `SWAttributionView`.
struct PreferenceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How the app shows the content (default: summary).", valueName: "context"))
    var displayContext: NameArgument<DisplayContext>?

    @Option(help: ArgumentHelp("Where the contents stand in a width that they do not fill.", valueName: "alignment"))
    var horizontalAlignment: NameArgument<AttributionPreferences.HorizontalAlignment>?

    @Option(help: ArgumentHelp("What the contents are drawn on.", valueName: "style"))
    var backgroundStyle: NameArgument<AttributionPreferences.BackgroundStyle>?

    @Option(help: ArgumentHelp("The greatest width, in points; 0 for no bound.", valueName: "points"))
    var preferredMaxLayoutWidth: Double?

    @Option(help: ArgumentHelp("The width that a constraint gives the view.", valueName: "points"))
    var width: Double?

    @Option(help: ArgumentHelp("The height that a constraint gives the view.", valueName: "points"))
    var height: Double?

    @Option(
        help: ArgumentHelp("The smallest size of text, such as medium or M.", valueName: "category"),
        transform: ContentSizeCategory.init(argument:)
    )
    var minimumContentSizeCategory: ContentSizeCategory?

    @Option(
        help: ArgumentHelp("The largest size of text, such as accessibilityMedium.", valueName: "category"),
        transform: ContentSizeCategory.init(argument:)
    )
    var maximumContentSizeCategory: ContentSizeCategory?

    @Option(help: ArgumentHelp("The title for Remove.", valueName: "title"))
    var menuTitleForHideAction: String?

    @Option(help: ArgumentHelp("An item of the app in the view's menu; may be repeated.", valueName: "title"))
    var supplementalMenuItem: [String] = []

    func validate() throws {
        for (name, length) in [
            ("--preferred-max-layout-width", preferredMaxLayoutWidth), ("--width", width), ("--height", height),
        ] {
            guard let length, !(0...AttributionPreferences.greatestLength).contains(length) else { continue }
            throw ValidationError(
                "\(name) is a number of points from 0 to \(Int(AttributionPreferences.greatestLength))"
            )
        }
    }

    /// Returns preferences with what was asked for in place of what they have.
    func applied(to preferences: AttributionPreferences) -> AttributionPreferences {
        var result = preferences
        result.displayContext = displayContext?.value ?? result.displayContext
        result.horizontalAlignment = horizontalAlignment?.value ?? result.horizontalAlignment
        result.backgroundStyle = backgroundStyle?.value ?? result.backgroundStyle
        result.preferredMaxLayoutWidth = preferredMaxLayoutWidth ?? result.preferredMaxLayoutWidth
        result.width = width ?? result.width
        result.height = height ?? result.height
        result.minimumContentSizeCategory = minimumContentSizeCategory ?? result.minimumContentSizeCategory
        result.maximumContentSizeCategory = maximumContentSizeCategory ?? result.maximumContentSizeCategory
        result.menuTitleForHideAction = menuTitleForHideAction ?? result.menuTitleForHideAction
        result.supplementalMenu += supplementalMenuItem.enumerated().map { index, title in
            MenuItem(id: MenuItemID(rawValue: "item-\(index + 1)"), title: title)
        }
        return result
    }
}

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
