public import WaypostSchema

/// Where everything of an attribution view stands; from the top left, in the view's own frame.
public struct AttributionLayout: Sendable, Equatable {
    /// What became of the contents.
    public let outcome: AttributionReport.Outcome

    /// How much of them is shown.
    public let step: AttributionReport.Step

    /// The size of the view: what an app leaves room for.
    public let size: LayoutExtent

    /// The size that the whole contents need, without any bound of the width and the height.
    public let naturalSize: LayoutExtent

    /// The size of text in force.
    public let contentSizeCategory: ContentSizeCategory

    /// The background in force; never `default`.
    public let backgroundStyle: AttributionPreferences.BackgroundStyle

    /// What the contents are drawn on, with round ends; `nil` where nothing is drawn.
    public let background: LayoutRectangle?

    /// The avatars, the first in front of the others.
    public let avatars: [PlacedAvatar]

    /// The mark of what is pinned; `nil` where there is none.
    public let pin: LayoutRectangle?

    /// The names, or the number beside avatars that stand alone; `nil` where no text is drawn.
    public let text: PlacedText?

    /// What is odd about the preferences.
    public let findings: [AttributionFinding]
}

extension AttributionReport {
    /// Creates the report on contents that were laid out.
    ///
    /// - Parameters:
    ///   - content: what is to be shown.
    ///   - layout: where it stands.
    public init(_ content: AttributionContent, _ layout: AttributionLayout) {
        self.init(
            outcome: layout.outcome,
            step: layout.step,
            text: layout.text?.text ?? "",
            size: layout.size.inPoints,
            naturalSize: layout.naturalSize.inPoints,
            contentSizeCategory: layout.contentSizeCategory,
            backgroundStyle: layout.backgroundStyle,
            language: content.language.rawValue,
            label: content.label,
            findings: layout.findings
        )
    }
}
