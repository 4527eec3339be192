internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import WaypostSchema

/// The app's preferences for an attribution view, with one option for each property of `SWAttributionView`.
struct PreferenceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The context in which the app shows the link (default: summary).", valueName: "context"))
    var displayContext: NameArgument<DisplayContext>?

    @Option(help: ArgumentHelp("The alignment of the contents in a wider view.", valueName: "alignment"))
    var horizontalAlignment: NameArgument<AttributionPreferences.HorizontalAlignment>?

    @Option(help: ArgumentHelp("The background of the view.", valueName: "style"))
    var backgroundStyle: NameArgument<AttributionPreferences.BackgroundStyle>?

    @Option(help: ArgumentHelp("The maximum width, in points; 0 for no limit.", valueName: "points"))
    var preferredMaxLayoutWidth: Double?

    @Option(help: ArgumentHelp("The width that a layout constraint sets, in points.", valueName: "points"))
    var width: Double?

    @Option(help: ArgumentHelp("The height that a layout constraint sets, in points.", valueName: "points"))
    var height: Double?

    @Option(
        help: ArgumentHelp("The smallest text size, such as medium or M.", valueName: "category"),
        transform: ContentSizeCategory.init(argument:)
    )
    var minimumContentSizeCategory: ContentSizeCategory?

    @Option(
        help: ArgumentHelp("The largest text size, such as accessibilityMedium.", valueName: "category"),
        transform: ContentSizeCategory.init(argument:)
    )
    var maximumContentSizeCategory: ContentSizeCategory?

    @Option(help: ArgumentHelp("The menu title of the Remove item.", valueName: "title"))
    var menuTitleForHideAction: String?

    @Option(help: ArgumentHelp("The title of a menu item of the app; can be repeated.", valueName: "title"))
    var supplementalMenuItem: [String] = []

    func validate() throws {
        for (name, length) in [
            ("--preferred-max-layout-width", preferredMaxLayoutWidth), ("--width", width), ("--height", height),
        ] {
            guard let length, !(0...AttributionPreferences.maximumLength).contains(length) else { continue }
            throw ValidationError(
                "\(name) must be a number of points from 0 to \(Int(AttributionPreferences.maximumLength))"
            )
        }
    }

    /// Returns `preferences` with the values of the options that are set.
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

/// The user's settings on the device that affect pictures.
struct TraitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The language of the text: en, zh-Hans, ja or ko (default: the device's).",
            valueName: "tag"
        )
    )
    var locale: String?

    @Option(
        help: ArgumentHelp("The text size that the user prefers (default: the device's).", valueName: "category"),
        transform: ContentSizeCategory.init(argument:)
    )
    var contentSizeCategory: ContentSizeCategory?

    @Option(help: ArgumentHelp("The appearance of the device.", valueName: "style"))
    var style = NameArgument(Appearance.Style.light)

    /// Returns `traits` with the values of the options that are set.
    func applied(to traits: AttributionTraits) -> AttributionTraits {
        var result = locale.map { AttributionTraits(language: $0) } ?? traits
        result.preferredContentSizeCategory = contentSizeCategory ?? traits.preferredContentSizeCategory
        return result
    }
}

extension ContentSizeCategory {
    /// Parses a category as UIKit spells it in Swift (`extraLarge`) or in its constants (`XL`, `AccessibilityM`), or as
    /// SwiftUI does (`xLarge`, `accessibility1`).
    ///
    /// - Throws: `ValidationError` that lists the names, if the argument is not a category.
    init(argument: String) throws {
        let prefix = "UICTContentSizeCategory"
        let name = argument.hasPrefix(prefix) ? String(argument.dropFirst(prefix.count)) : argument
        guard let category = Self(rawValue: name) ?? Self.otherSpellings[name] else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(argument)' is not a text size; use one of: \(names)")
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
