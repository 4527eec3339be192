public import Attribution
internal import TextBasics
public import WaypostSchema

/// The options of a picture, the same for the control API and for commands.
///
/// An absent option is that of the device, or that of the view that the app requested.
public struct PictureOptions: Sendable, Equatable {
    /// The maximum value of `limit`; each item of a shelf may have a picture of its own.
    public static let maximumLimit = 100

    /// The style, and the backdrop of an attribution view.
    public private(set) var appearance = Appearance()

    /// The number of items of a shelf before Show More.
    public var limit = ShowMore.defaultLimit

    /// The language of the text, as a tag with hyphens.
    private(set) var locale: String?

    private var contentSizeCategory: ContentSizeCategory?
    private var displayContext: DisplayContext?
    private var horizontalAlignment: AttributionPreferences.HorizontalAlignment?
    private var backgroundStyle: AttributionPreferences.BackgroundStyle?
    private var preferredMaxLayoutWidth: Double?
    private var width: Double?
    private var height: Double?
    private var minimumContentSizeCategory: ContentSizeCategory?
    private var maximumContentSizeCategory: ContentSizeCategory?
    private var menuTitleForHideAction: String?
    private var supplementalMenuTitles: [String] = []

    /// Creates options without values.
    public init() {}

    /// Sets an option from a string; a repeatable option gets another value.
    ///
    /// - Parameters:
    ///   - option: the option.
    ///   - string: the value, as it is written in a query or on a command line.
    /// - Throws: `PictureOptionError` that has the accepted values.
    public mutating func set(_ option: PictureOption, to string: String) throws(PictureOptionError) {
        switch option {
        case .backdrop: appearance.backdrop = try Self.name(string, as: Appearance.Backdrop.self)
        case .style: appearance.style = try Self.name(string, as: Appearance.Style.self)
        case .contentSizeCategory: contentSizeCategory = try Self.category(string)
        case .locale: locale = try Self.languageTag(string)
        case .limit: limit = try Self.limit(string)
        case .displayContext: displayContext = try Self.name(string, as: DisplayContext.self)
        case .horizontalAlignment:
            horizontalAlignment = try Self.name(string, as: AttributionPreferences.HorizontalAlignment.self)
        case .backgroundStyle:
            backgroundStyle = try Self.name(string, as: AttributionPreferences.BackgroundStyle.self)
        case .preferredMaxLayoutWidth: preferredMaxLayoutWidth = try Self.length(string)
        case .width: width = try Self.length(string)
        case .height: height = try Self.length(string)
        case .minimumContentSizeCategory: minimumContentSizeCategory = try Self.category(string)
        case .maximumContentSizeCategory: maximumContentSizeCategory = try Self.category(string)
        case .menuTitleForHideAction: menuTitleForHideAction = string
        case .supplementalMenuItem: supplementalMenuTitles.append(string)
        }
    }

    /// Returns the settings of a user with those of the options in their place.
    public func applied(to traits: AttributionTraits) -> AttributionTraits {
        var result = locale.map { AttributionTraits(language: $0) } ?? traits
        result.preferredContentSizeCategory = contentSizeCategory ?? traits.preferredContentSizeCategory
        return result
    }

    /// Returns the preferences of an app with those of the options in their place; items of the menu are added.
    public func applied(to preferences: AttributionPreferences) -> AttributionPreferences {
        var result = preferences
        result.displayContext = displayContext ?? result.displayContext
        result.horizontalAlignment = horizontalAlignment ?? result.horizontalAlignment
        result.backgroundStyle = backgroundStyle ?? result.backgroundStyle
        result.preferredMaxLayoutWidth = preferredMaxLayoutWidth ?? result.preferredMaxLayoutWidth
        result.width = width ?? result.width
        result.height = height ?? result.height
        result.minimumContentSizeCategory = minimumContentSizeCategory ?? result.minimumContentSizeCategory
        result.maximumContentSizeCategory = maximumContentSizeCategory ?? result.maximumContentSizeCategory
        result.menuTitleForHideAction = menuTitleForHideAction ?? result.menuTitleForHideAction
        result.supplementalMenu += supplementalMenuTitles.enumerated().map { index, title in
            MenuItem(id: MenuItemID(rawValue: "item-\(index + 1)"), title: title)
        }
        return result
    }
}

// MARK: Values

extension PictureOptions {
    private static func name<Name: RawRepresentable<String> & CaseIterable>(
        _ string: String,
        as type: Name.Type
    ) throws(PictureOptionError) -> Name {
        if let name = Name(rawValue: string) { return name }
        let names = Name.allCases.map(\.rawValue)
        throw PictureOptionError(message: "'\(string)' is not accepted; use one of \(names.joined(separator: ", "))")
    }

    private static func category(_ string: String) throws(PictureOptionError) -> ContentSizeCategory {
        if let category = ContentSizeCategory(spelling: string) { return category }
        let names = ContentSizeCategory.allCases.map(\.rawValue)
        throw PictureOptionError(message: "'\(string)' is not a text size; use one of \(names.joined(separator: ", "))")
    }

    private static func length(_ string: String) throws(PictureOptionError) -> Double {
        let maximum = AttributionPreferences.maximumLength
        guard let length = Double(string), (0...maximum).contains(length) else {
            throw PictureOptionError(message: "'\(string)' is not a number of points from 0 to \(Int(maximum))")
        }
        return length
    }

    private static func limit(_ string: String) throws(PictureOptionError) -> Int {
        guard let limit = Int(string), (0...maximumLimit).contains(limit) else {
            throw PictureOptionError(message: "'\(string)' is not a number from 0 to \(maximumLimit)")
        }
        return limit
    }

    /// Returns a string with hyphens if it has the form of a language tag (BCP 47) with a language of ISO 639.
    ///
    /// The language may have no texts here; the picture is then in English.
    private static func languageTag(_ string: String) throws(PictureOptionError) -> String {
        let parts = string.split(separator: "-", omittingEmptySubsequences: false).flatMap { part in
            part.split(separator: "_", omittingEmptySubsequences: false)
        }
        let language = parts.first ?? ""
        let isTag =
            (2...3).contains(language.count) && language.utf8.allSatisfy(\.isASCIILetter)
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.count) && part.utf8.allSatisfy(\.isASCIIAlphanumeric)
            }
        guard isTag else {
            let languages = AttributionLanguage.allCases.map(\.rawValue)
            throw PictureOptionError(
                message: "'\(string)' is not a language tag; use one of \(languages.joined(separator: ", ")), or "
                    + "another tag such as de-CH, whose text is in English"
            )
        }
        return parts.joined(separator: "-")
    }
}
