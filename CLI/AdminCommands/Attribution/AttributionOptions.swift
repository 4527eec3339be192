internal import ArgumentParser
internal import Attribution
internal import DeviceModel
internal import WaypostSchema

/// The app's preferences for an attribution view, with one option for each property of `SWAttributionView`.
struct PreferenceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The context in which the app shows the link: \(DisplayContext.argumentNames) (default: summary).",
            valueName: "context"
        ),
        completion: .list(DisplayContext.allCases.map(\.rawValue)),
        transform: { try PictureOption.displayContext.checked($0) }
    )
    var displayContext: String?

    @Option(
        help: ArgumentHelp(
            "The alignment of the contents in a wider view: "
                + "\(AttributionPreferences.HorizontalAlignment.argumentNames).",
            valueName: "alignment"
        ),
        completion: .list(AttributionPreferences.HorizontalAlignment.allCases.map(\.rawValue)),
        transform: { try PictureOption.horizontalAlignment.checked($0) }
    )
    var horizontalAlignment: String?

    @Option(
        help: ArgumentHelp(
            "The background of the view: \(AttributionPreferences.BackgroundStyle.argumentNames).",
            valueName: "style"
        ),
        completion: .list(AttributionPreferences.BackgroundStyle.allCases.map(\.rawValue)),
        transform: { try PictureOption.backgroundStyle.checked($0) }
    )
    var backgroundStyle: String?

    @Option(
        help: ArgumentHelp("The maximum width, in points; 0 for no limit.", valueName: "points"),
        transform: { try PictureOption.preferredMaxLayoutWidth.checked($0) }
    )
    var preferredMaxLayoutWidth: String?

    @Option(
        help: ArgumentHelp("The width that a layout constraint sets, in points.", valueName: "points"),
        transform: { try PictureOption.width.checked($0) }
    )
    var width: String?

    @Option(
        help: ArgumentHelp("The height that a layout constraint sets, in points.", valueName: "points"),
        transform: { try PictureOption.height.checked($0) }
    )
    var height: String?

    @Option(
        help: ArgumentHelp("The smallest text size, such as medium or M.", valueName: "category"),
        transform: { try PictureOption.minimumContentSizeCategory.checked($0) }
    )
    var minimumContentSizeCategory: String?

    @Option(
        help: ArgumentHelp("The largest text size, such as accessibilityMedium.", valueName: "category"),
        transform: { try PictureOption.maximumContentSizeCategory.checked($0) }
    )
    var maximumContentSizeCategory: String?

    @Option(help: ArgumentHelp("The menu title of the Remove item.", valueName: "title"))
    var menuTitleForHideAction: String?

    @Option(help: ArgumentHelp("The title of a menu item of the app; can be repeated.", valueName: "title"))
    var supplementalMenuItem: [String] = []

    /// The values of the options that are set.
    var values: [PictureOptionValue] {
        let values = [
            PictureOptionValue(.displayContext, displayContext),
            PictureOptionValue(.horizontalAlignment, horizontalAlignment),
            PictureOptionValue(.backgroundStyle, backgroundStyle),
            PictureOptionValue(.preferredMaxLayoutWidth, preferredMaxLayoutWidth), PictureOptionValue(.width, width),
            PictureOptionValue(.height, height),
            PictureOptionValue(.minimumContentSizeCategory, minimumContentSizeCategory),
            PictureOptionValue(.maximumContentSizeCategory, maximumContentSizeCategory),
            PictureOptionValue(.menuTitleForHideAction, menuTitleForHideAction),
        ]
        let items = supplementalMenuItem.map { PictureOptionValue(.supplementalMenuItem, $0) }
        return (values + items).compactMap(\.self)
    }
}

/// The user's settings on the device that affect pictures.
struct TraitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The language of the text: en, zh-Hans, ja or ko (default: the device's).",
            valueName: "tag"
        ),
        transform: { try PictureOption.locale.checked($0) }
    )
    var locale: String?

    @Option(
        help: ArgumentHelp("The text size that the user prefers (default: the device's).", valueName: "category"),
        transform: { try PictureOption.contentSizeCategory.checked($0) }
    )
    var contentSizeCategory: String?

    @Option(
        help: ArgumentHelp("The appearance of the device: light or dark (default: light).", valueName: "style"),
        completion: .list(Appearance.Style.allCases.map(\.rawValue)),
        transform: { try PictureOption.style.checked($0) }
    )
    var style: String?

    /// The values of the options that are set.
    var values: [PictureOptionValue] {
        let values = [
            PictureOptionValue(.style, style), PictureOptionValue(.contentSizeCategory, contentSizeCategory),
            PictureOptionValue(.locale, locale),
        ]
        return values.compactMap(\.self)
    }
}

/// An option of a picture with its value on the command line.
struct PictureOptionValue {
    let option: PictureOption
    let value: String

    /// Creates the value of an option, or `nil` if the option is not set.
    init?(_ option: PictureOption, _ value: String?) {
        guard let value else { return nil }
        self.option = option
        self.value = value
    }

    /// The parameter of a query for the control API.
    var parameter: (name: String, value: String) {
        (option.rawValue, value)
    }
}

extension PictureOptions {
    /// Creates options from those on the command line.
    ///
    /// - Throws: `CommandFailure` if a value is not accepted, which the parser of the arguments has checked.
    init(_ values: [PictureOptionValue]) throws(CommandFailure) {
        self.init()
        for value in values { try set(value) }
    }

    private mutating func set(_ value: PictureOptionValue) throws(CommandFailure) {
        do throws(PictureOptionError) {
            try set(value.option, to: value.value)
        } catch {
            throw CommandFailure(status: .wrongUsage, message: "\(value.option.argument): \(error.message)")
        }
    }
}

extension PictureOption {
    /// The option on the command line, such as `--content-size-category`.
    var argument: String {
        "--" + rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }

    /// Returns a value that the option accepts.
    ///
    /// - Throws: `ValidationError` that has the accepted values.
    func checked(_ value: String) throws -> String {
        var options = PictureOptions()
        do throws(PictureOptionError) {
            try options.set(self, to: value)
        } catch {
            throw ValidationError(error.message)
        }
        return value
    }
}
