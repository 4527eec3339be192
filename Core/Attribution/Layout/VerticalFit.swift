internal import WaypostSchema

/// The effect of the available height on the content.
enum VerticalFit {
    /// The content fits.
    case whole

    /// The top and bottom edges are cut off, but a line of text fits.
    case clipped

    /// Not even a line of text fits, so nothing is drawn.
    case nothing

    init(_ height: Points, _ metrics: LayoutMetrics) {
        if height >= metrics.intrinsicHeight {
            self = .whole
        } else {
            self = height >= metrics.lineHeight ? .clipped : .nothing
        }
    }
}

extension VerticalFit {
    /// Returns the finding about a height that is too small; `nil` if it is not.
    func finding(_ height: Points, _ metrics: LayoutMetrics) -> AttributionFinding? {
        let consequence: String
        switch self {
        case .whole: return nil
        case .clipped: consequence = "the top and bottom edges are cut off"
        case .nothing: consequence = "nothing is drawn"
        }
        let minimumHeight = metrics.intrinsicHeight
        return AttributionFinding(
            code: .heightTooSmall,
            field: "height",
            message: """
                A height of \(height) is too small: text size \(metrics.scale.size) needs \(minimumHeight), so \
                \(consequence); \(minimumHeight) or more is accepted, or omit the height.
                """
        )
    }
}
