/// The contents and the layout of an attribution view, for the user and for tests; apps cannot read it.
public struct AttributionReport: Codable, Sendable, Equatable {
    /// The result of fitting the contents into the available space.
    public enum Outcome: String, StringEnum {
        /// Everything is shown, as without limits.
        case natural

        /// Less is shown, because the width is too small.
        case truncated

        /// The edges are cut off, because the height is too small.
        case clipped

        /// Nothing is drawn, because the space is too small for anything.
        case notDrawn
    }

    /// The amount of contents that is shown, from everything to nothing.
    public enum Step: String, StringEnum {
        /// Two names, and the number of others.
        case names

        /// One name, and the number of others as text.
        case oneNameAndOthers

        /// One name, and the number of others as digits.
        case oneNameAndNumber

        /// The beginning of a name.
        case shortenedName

        /// The avatars only, and the number of others as digits.
        case avatars

        /// One avatar.
        case oneAvatar

        /// Nothing.
        case nothing
    }

    /// The result of fitting the contents.
    public var outcome: Outcome

    /// The amount of contents that is shown.
    public var step: Step

    /// The text that is drawn; empty if there is none.
    public var text: String

    /// The size of the view.
    public var size: LayoutSize

    /// The size that the full contents need.
    public var naturalSize: LayoutSize

    /// The effective text size.
    public var contentSizeCategory: ContentSizeCategory

    /// The effective background; never `default`.
    public var backgroundStyle: AttributionPreferences.BackgroundStyle

    /// The language of the text: `en`, `zh-Hans`, `ja` or `ko`.
    public var language: String

    /// The full contents as text: all names, the pin, the conversations.
    public var label: String

    /// The findings about the preferences.
    public var findings: [AttributionFinding]

    /// Creates the value from its parts.
    public init(
        outcome: Outcome,
        step: Step,
        text: String,
        size: LayoutSize,
        naturalSize: LayoutSize,
        contentSizeCategory: ContentSizeCategory,
        backgroundStyle: AttributionPreferences.BackgroundStyle,
        language: String,
        label: String,
        findings: [AttributionFinding]
    ) {
        self.outcome = outcome
        self.step = step
        self.text = text
        self.size = size
        self.naturalSize = naturalSize
        self.contentSizeCategory = contentSizeCategory
        self.backgroundStyle = backgroundStyle
        self.language = language
        self.label = label
        self.findings = findings
    }
}
