internal import ArgumentParser
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
