internal import WaypostSchema

/// The space that an app gives an attribution view, and the position of the content in it.
///
/// Width and height are independent: the width decides how much is shown, the height whether it is cut off.
///
/// An app can measure the view, so its size does not depend on the content, which would reveal something about the people.
struct LayoutFrame {
    let preferences: AttributionPreferences
    let metrics: LayoutMetrics

    /// The width of the view: the one that the app set, or its preferred maximum, or the standard width.
    var width: Points {
        fixedWidth ?? preferredMaximum ?? metrics.standardWidth
    }

    /// The maximum width of the content: the smaller one of the width and the preferred maximum.
    var maximumContentWidth: Points {
        min(preferredMaximum ?? width, width)
    }

    /// The height of the view: the one that the app set, or else the intrinsic height.
    var height: Points { fixedHeight ?? metrics.intrinsicHeight }

    /// Returns the left edge of the content in a layout from left to right, which `LayoutMirror` may mirror.
    func x(forContentWidth contentWidth: Points) -> Points {
        let remainingWidth = width - contentWidth
        switch preferences.horizontalAlignment {
        case .default, .leading: return .zero
        case .center: return remainingWidth.half
        case .trailing: return remainingWidth
        }
    }

    /// The top edge of the vertically centered content; it is negative if the content is higher than the view.
    var y: Points { (height - metrics.intrinsicHeight).half }

    /// The finding about a width that is too small for any content.
    var widthFinding: AttributionFinding {
        let minimumWidth = metrics.avatarDiameter + metrics.horizontalPadding * 2
        let isFixed = fixedWidth.map { $0 == maximumContentWidth } ?? false
        return AttributionFinding(
            code: .widthTooSmall,
            field: isFixed ? "width" : "preferredMaxLayoutWidth",
            message: """
                A width of \(maximumContentWidth) is too small: one avatar at text size \
                \(metrics.scale.size) needs \(minimumWidth), so nothing is drawn; \(minimumWidth) or more is accepted.
                """
        )
    }

    private var fixedWidth: Points? { preferences.width.map(Points.init(roundingDown:)) }

    private var fixedHeight: Points? { preferences.height.map(Points.init(roundingDown:)) }

    private var preferredMaximum: Points? {
        let maximum = preferences.preferredMaxLayoutWidth
        return maximum > 0 ? Points(roundingDown: maximum) : nil
    }
}
