/// What an app asks of an attribution view (the properties of `SWAttributionView`).
///
/// In JSON every field may be absent.
public struct AttributionPreferences: Codable, Sendable, Equatable {
    /// Where the contents stand in a width that they do not fill.
    public enum HorizontalAlignment: String, StringChoice {
        /// At the leading edge; the view is no wider than its contents unless its width is given.
        case `default`

        case leading
        case center
        case trailing
    }

    /// What the contents are drawn on.
    public enum BackgroundStyle: String, StringChoice {
        /// The device chooses.
        case `default`

        /// For a background of one colour.
        case color

        /// For a background of several colours: what is behind the view is blurred.
        case material
    }

    /// How the app shows the content; it counts only where it is set before the view is in a window.
    public var displayContext: DisplayContext

    /// Where the contents stand in a width that they do not fill.
    public var horizontalAlignment: HorizontalAlignment

    /// What the contents are drawn on.
    public var backgroundStyle: BackgroundStyle

    /// The greatest width, in points; 0 for no bound.
    public var preferredMaxLayoutWidth: Double

    /// The width that a constraint or the frame gives the view, in points; absent for that of its contents.
    public var width: Double?

    /// The height that a constraint or the frame gives the view, in points; absent for the intrinsic one.
    public var height: Double?

    /// The smallest size of text.
    public var minimumContentSizeCategory: ContentSizeCategory?

    /// The largest size of text.
    public var maximumContentSizeCategory: ContentSizeCategory?

    /// The title of the item that removes the content; absent for the system's.
    public var menuTitleForHideAction: String?

    /// Items of the app that stand in the view's own menu.
    public var supplementalMenu: [MenuItem]

    /// Creates the value from its parts; without arguments, the platform's defaults.
    public init(
        displayContext: DisplayContext = .summary,
        horizontalAlignment: HorizontalAlignment = .default,
        backgroundStyle: BackgroundStyle = .default,
        preferredMaxLayoutWidth: Double = 0,
        width: Double? = nil,
        height: Double? = nil,
        minimumContentSizeCategory: ContentSizeCategory? = nil,
        maximumContentSizeCategory: ContentSizeCategory? = nil,
        menuTitleForHideAction: String? = nil,
        supplementalMenu: [MenuItem] = []
    ) {
        self.displayContext = displayContext
        self.horizontalAlignment = horizontalAlignment
        self.backgroundStyle = backgroundStyle
        self.preferredMaxLayoutWidth = preferredMaxLayoutWidth
        self.width = width
        self.height = height
        self.minimumContentSizeCategory = minimumContentSizeCategory
        self.maximumContentSizeCategory = maximumContentSizeCategory
        self.menuTitleForHideAction = menuTitleForHideAction
        self.supplementalMenu = supplementalMenu
    }

    /// The greatest width or height that can be asked for, in points.
    public static let greatestLength: Double = 100_000

    /// Reads preferences; what is absent has the platform's default.
    ///
    /// - Throws: `DecodingError` where a length is negative or greater than `greatestLength`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ field: CodingKeys) throws -> Value? {
            try fields.decodeIfPresent(Value.self, forKey: field)
        }
        func readLength(_ field: CodingKeys) throws -> Double? {
            guard let length: Double = try read(field) else { return nil }
            guard (0...Self.greatestLength).contains(length) else {
                throw DecodingError.dataCorruptedError(
                    forKey: field,
                    in: fields,
                    debugDescription: "a length is a number of points from 0 to \(Int(Self.greatestLength))"
                )
            }
            return length
        }
        self.init(
            displayContext: try read(.displayContext) ?? .summary,
            horizontalAlignment: try read(.horizontalAlignment) ?? .default,
            backgroundStyle: try read(.backgroundStyle) ?? .default,
            preferredMaxLayoutWidth: try readLength(.preferredMaxLayoutWidth) ?? 0,
            width: try readLength(.width),
            height: try readLength(.height),
            minimumContentSizeCategory: try read(.minimumContentSizeCategory),
            maximumContentSizeCategory: try read(.maximumContentSizeCategory),
            menuTitleForHideAction: try read(.menuTitleForHideAction),
            supplementalMenu: try read(.supplementalMenu) ?? []
        )
    }
}

/// An item of a menu, as an app may know it: it can be chosen, and does not say whom it concerns.
public struct MenuItem: Codable, Sendable, Equatable {
    /// What it is chosen by, within its view.
    public var id: MenuItemID

    /// Its title, in the language of the person.
    public var title: String

    /// Creates the value from its parts.
    public init(id: MenuItemID, title: String) {
        self.id = id
        self.title = title
    }
}
