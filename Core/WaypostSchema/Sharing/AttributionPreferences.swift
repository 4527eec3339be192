/// An app's preferences for an attribution view (the properties of `SWAttributionView`).
///
/// In JSON, every field is optional.
public struct AttributionPreferences: Codable, Sendable, Equatable {
    /// The horizontal position of contents that do not fill the width.
    public enum HorizontalAlignment: String, StringEnum {
        /// At the leading edge.
        case `default`

        case leading
        case center
        case trailing
    }

    /// The background of the contents.
    public enum BackgroundStyle: String, StringEnum {
        /// The device chooses the background.
        case `default`

        /// For a background of one color.
        case color

        /// For a background of several colors: the area behind the view is blurred.
        case material
    }

    /// The way the app shows the content; ignored if set after the view is in a window.
    public var displayContext: DisplayContext

    /// The horizontal position of contents that do not fill the width.
    public var horizontalAlignment: HorizontalAlignment

    /// The background of the contents.
    public var backgroundStyle: BackgroundStyle

    /// The maximum width, in points; 0 for no limit.
    public var preferredMaxLayoutWidth: Double

    /// The width that a constraint or the frame sets, in points; the preferred maximum or the standard width if absent.
    public var width: Double?

    /// The height that a constraint or the frame sets, in points; the intrinsic height if absent.
    public var height: Double?

    /// The minimum text size.
    public var minimumContentSizeCategory: ContentSizeCategory?

    /// The maximum text size.
    public var maximumContentSizeCategory: ContentSizeCategory?

    /// The title of the menu item that removes the content; the system's title if absent.
    public var menuTitleForHideAction: String?

    /// The app's items in the view's own menu.
    public var supplementalMenu: [MenuItem]

    /// Creates preferences; the default arguments are the platform's defaults.
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

    /// The maximum width or height, in points.
    public static let maximumLength: Double = 100_000

    /// Parses preferences; absent fields have the platform's defaults.
    ///
    /// - Throws: `DecodingError` if a length is negative or greater than `maximumLength`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ field: CodingKeys) throws -> Value? {
            try fields.decodeIfPresent(Value.self, forKey: field)
        }
        func readLength(_ field: CodingKeys) throws -> Double? {
            guard let length: Double = try read(field) else { return nil }
            guard (0...Self.maximumLength).contains(length) else {
                throw DecodingError.dataCorruptedError(
                    forKey: field,
                    in: fields,
                    debugDescription: "a length must be a number of points from 0 to \(Int(Self.maximumLength))"
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
