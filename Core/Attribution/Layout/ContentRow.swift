internal import WaypostSchema

/// The row of a view's avatars, pin and text.
struct ContentRow {
    let truncationStep: AttributionReport.Step
    let avatarCount: Int
    let hasPin: Bool
    let text: String?

    /// The total width, including the background's horizontal padding.
    let width: Points
}

extension ContentRow {
    /// Creates a row and measures it.
    init(
        _ truncationStep: AttributionReport.Step,
        avatarCount: Int,
        hasPin: Bool,
        text: String?,
        _ metrics: LayoutMetrics
    ) {
        let measure = TextMeasure(size: metrics.scale.size)
        var width = metrics.horizontalPadding * 2 + metrics.width(ofAvatars: avatarCount)
        if hasPin { width += metrics.gap + metrics.pinSide }
        if let text { width += metrics.gap + measure.width(of: text) }
        self.init(truncationStep: truncationStep, avatarCount: avatarCount, hasPin: hasPin, text: text, width: width)
    }
}
