/// What an attribution view shows and how it is laid out: for the person and for tests, and for no app.
public struct AttributionReport: Codable, Sendable, Equatable {
    /// What became of the contents in the room that there is.
    public enum Outcome: String, StringChoice {
        /// Everything is shown as it would be without bounds.
        case natural

        /// Less is shown, as the width does not do.
        case truncated

        /// The edges are cut off, as the height does not do.
        case clipped

        /// Nothing is drawn, as the room does not do for anything.
        case notDrawn
    }

    /// How much of the contents is shown: the steps from everything to nothing.
    public enum Step: String, StringChoice {
        /// The names: two, and how many others there are.
        case names

        /// One name, and how many others there are in words.
        case oneNameAndOthers

        /// One name, and how many others there are as a number.
        case oneNameAndNumber

        /// The beginning of a name.
        case shortenedName

        /// The avatars alone, and how many others there are as a number.
        case avatars

        /// One avatar.
        case oneAvatar

        /// Nothing.
        case nothing
    }

    /// What became of the contents.
    public var outcome: Outcome

    /// How much of them is shown.
    public var step: Step

    /// The text that is drawn; empty where there is none.
    public var text: String

    /// The size of the view.
    public var size: LayoutSize

    /// The size that the whole contents need.
    public var naturalSize: LayoutSize

    /// The size of text in force.
    public var contentSizeCategory: ContentSizeCategory

    /// The background in force; never `default`.
    public var backgroundStyle: AttributionPreferences.BackgroundStyle

    /// The language of the words: `en`, `zh-Hans`, `ja` or `ko`.
    public var language: String

    /// Everything that is to be seen, in words: all names, the pin, the conversations.
    public var label: String

    /// What is odd about the preferences.
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
