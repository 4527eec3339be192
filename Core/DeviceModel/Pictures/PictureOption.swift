/// An option of a picture: a parameter of the control API's queries, and an option of commands.
public enum PictureOption: String, Sendable, CaseIterable {
    /// The backdrop behind an attribution view.
    case backdrop

    /// The light or dark style.
    case style

    /// The text size that the user prefers.
    case contentSizeCategory

    /// The language of the text.
    case locale

    /// The number of items of a shelf before Show More.
    case limit

    case displayContext
    case horizontalAlignment
    case backgroundStyle
    case preferredMaxLayoutWidth
    case width
    case height
    case minimumContentSizeCategory
    case maximumContentSizeCategory
    case menuTitleForHideAction

    /// The title of an item that the app adds to the view's menu; it can be repeated.
    case supplementalMenuItem

    /// The options for the settings of the user.
    static let user: [Self] = [.style, .contentSizeCategory, .locale]

    /// The options for the preferences of an app that are about the menu of a view.
    static let menu: [Self] = [.menuTitleForHideAction, .supplementalMenuItem]

    /// The options for all preferences of an app.
    static let preferences: [Self] =
        [
            .displayContext, .horizontalAlignment, .backgroundStyle, .preferredMaxLayoutWidth, .width, .height,
            .minimumContentSizeCategory, .maximumContentSizeCategory,
        ] + menu

    /// The options that change the report on an attribution view: all of its picture's but those for colors.
    public static let ofReport: [Self] = PictureKind.attribution.options.filter { ![.backdrop, .style].contains($0) }

    /// Whether the option may be given several times.
    public var isRepeatable: Bool {
        self == .supplementalMenuItem
    }
}

/// The reason why a picture cannot have an option, or a value of one.
public struct PictureOptionError: Error, Sendable, Equatable {
    /// The problem with the value, and what is accepted.
    public let message: String
}
