internal import WaypostSchema

/// The room that an app gives an attribution view, and where its contents stand in it.
///
/// The two directions know nothing of each other: the width decides how much is shown, the height whether it is cut off.
struct LayoutFrame {
    let preferences: AttributionPreferences

    /// The greatest width of the contents; `nil` for no bound.
    ///
    /// Of the width and the preferred maximum the smaller one counts; a maximum of 0 is none.
    var greatestContentWidth: Points? {
        [preferredMaximum, width].compactMap(\.self).min()
    }

    /// Returns the width of the view.
    ///
    /// The width that was given counts. Without one the view fills its maximum where it is told how its contents are
    /// aligned there, and else is as wide as its contents.
    func width(around contents: Points) -> Points {
        if let width { return width }
        guard let preferredMaximum, preferences.horizontalAlignment != .default else { return contents }
        return max(preferredMaximum, contents)
    }

    /// Returns the height of the view: the one that was given, or else its intrinsic one.
    func height(intrinsic: Points) -> Points { height ?? intrinsic }

    /// Returns the left edge of the contents; they run from left to right, so that leading is left.
    func x(of contents: Points) -> Points {
        let rest = width(around: contents) - contents
        switch preferences.horizontalAlignment {
        case .default, .leading: return .zero
        case .center: return rest.half
        case .trailing: return rest
        }
    }

    /// Returns the upper edge of the contents, in the middle; above the view's own where they are the higher ones.
    func y(of contents: Points) -> Points { (height(intrinsic: contents) - contents).half }

    /// What is odd about a width that nothing fits into.
    func widthFinding(_ metrics: LayoutMetrics) -> AttributionFinding {
        let least = metrics.avatar + metrics.horizontalPadding * 2
        let isFixed = width.map { $0 == greatestContentWidth } ?? false
        return AttributionFinding(
            code: .widthTooSmall,
            field: isFixed ? "width" : "preferredMaxLayoutWidth",
            message: """
                A width of \(greatestContentWidth ?? .zero) is less than the \(least) that one avatar needs beside text of \
                size \(metrics.scale.size), so that nothing is drawn; \(least) or more is accepted.
                """
        )
    }

    private var width: Points? { preferences.width.map(Points.init(roundingDown:)) }

    private var height: Points? { preferences.height.map(Points.init(roundingDown:)) }

    private var preferredMaximum: Points? {
        let maximum = preferences.preferredMaxLayoutWidth
        return maximum > 0 ? Points(roundingDown: maximum) : nil
    }
}
