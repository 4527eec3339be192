public import WaypostSchema

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
