internal import WaypostSchema

/// What becomes of contents that need a height in the height that there is.
enum VerticalFit {
    /// They stand in it.
    case whole

    /// Their upper and lower edges are cut off, and a line of text is not.
    case clipped

    /// Not even a line of text stands in it: nothing is drawn.
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
    /// Returns what is odd about the height that was given; `nil` where nothing is.
    func finding(_ height: Points, _ metrics: LayoutMetrics) -> AttributionFinding? {
        let consequence: String
        switch self {
        case .whole: return nil
        case .clipped: consequence = "the upper and the lower edge are cut off"
        case .nothing: consequence = "nothing is drawn"
        }
        let least = metrics.intrinsicHeight
        return AttributionFinding(
            code: .heightTooSmall,
            field: "height",
            message: """
                A height of \(height) is less than the \(least) that text of size \(metrics.scale.size) needs, so that \
                \(consequence); \(least) or more is accepted, and so is no height.
                """
        )
    }
}
