internal import WaypostSchema

/// What stands side by side in a view: avatars, the pin, text.
struct ContentRow {
    let step: AttributionReport.Step
    let avatars: Int
    let hasPin: Bool
    let text: String?

    /// The whole width, with what the background reaches beyond the contents.
    let width: Points
}

extension ContentRow {
    /// Creates a row and measures it.
    init(_ step: AttributionReport.Step, avatars: Int, hasPin: Bool, text: String?, _ metrics: LayoutMetrics) {
        let measure = TextMeasure(size: metrics.scale.size)
        var width = metrics.horizontalPadding * 2 + metrics.width(ofAvatars: avatars)
        if hasPin { width += metrics.gap + metrics.pin }
        if let text { width += metrics.gap + measure.width(of: text) }
        self.init(step: step, avatars: avatars, hasPin: hasPin, text: text, width: width)
    }
}
