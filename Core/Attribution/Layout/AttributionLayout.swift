public import WaypostSchema

/// The positions of everything in an attribution view, measured from its top left corner.
public struct AttributionLayout: Sendable, Equatable {
    /// Whether the content is shown in full, truncated, clipped or not at all.
    public let outcome: AttributionReport.Outcome

    /// The truncation step that is shown.
    public let truncationStep: AttributionReport.Step

    /// The size of the view, which the app reserves for it.
    public let size: ExactLayoutSize

    /// The size of the full content, without any limit on width and height.
    public let naturalSize: ExactLayoutSize

    /// The effective text size.
    public let contentSizeCategory: ContentSizeCategory

    /// The effective background style; never `default`.
    public let backgroundStyle: AttributionPreferences.BackgroundStyle

    /// The background of the content, a rectangle with round ends; `nil` if nothing is drawn.
    public let background: LayoutRectangle?

    /// The avatars from the leading edge; the first is in front of the others.
    public let avatars: [PlacedAvatar]

    /// The pin mark; `nil` if there is none.
    public let pin: LayoutRectangle?

    /// The names, or the number next to avatars without names; `nil` if no text is drawn.
    public let text: PlacedText?

    /// The problems with the preferences.
    public let findings: [AttributionFinding]
}

extension AttributionReport {
    /// Creates the report on a layout.
    ///
    /// - Parameters:
    ///   - content: the content of the view.
    ///   - layout: its layout.
    public init(_ content: AttributionContent, _ layout: AttributionLayout) {
        self.init(
            outcome: layout.outcome,
            step: layout.truncationStep,
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
