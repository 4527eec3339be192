internal import WaypostSchema

/// The space that an app gives an attribution view, and the position of the content in it.
///
/// Width and height are independent: the width decides how much is shown, the height whether it is cut off.
struct LayoutFrame {
    let preferences: AttributionPreferences

    /// The maximum width of the content; `nil` if there is no limit.
    ///
    /// It is the smaller one of the width and the preferred maximum; a maximum of 0 is no limit.
    var greatestContentWidth: Points? {
        [preferredMaximum, width].compactMap(\.self).min()
    }

    /// Returns the width of the view.
    ///
    /// If the app set a width, that is used. Otherwise the view fills its preferred maximum width if the app set an
    /// alignment and a maximum, and is as wide as its content if not.
    func width(around contents: Points) -> Points {
        if let width { return width }
        guard let preferredMaximum, preferences.horizontalAlignment != .default else { return contents }
        return max(preferredMaximum, contents)
    }

    /// Returns the height of the view: the one that the app set, or else the intrinsic height.
    func height(intrinsic: Points) -> Points { height ?? intrinsic }

    /// Returns the left edge of the content; content runs from left to right, so leading is left.
    func x(of contents: Points) -> Points {
        let rest = width(around: contents) - contents
        switch preferences.horizontalAlignment {
        case .default, .leading: return .zero
        case .center: return rest.half
        case .trailing: return rest
        }
    }

    /// Returns the top edge of the vertically centered content; it is negative if the content is higher than the view.
    func y(of contents: Points) -> Points { (height(intrinsic: contents) - contents).half }

    /// Returns the finding about a width that is too small for any content.
    func widthFinding(_ metrics: LayoutMetrics) -> AttributionFinding {
        let least = metrics.avatar + metrics.horizontalPadding * 2
        let isFixed = width.map { $0 == greatestContentWidth } ?? false
        return AttributionFinding(
            code: .widthTooSmall,
            field: isFixed ? "width" : "preferredMaxLayoutWidth",
            message: """
                A width of \(greatestContentWidth ?? .zero) is too small: one avatar at text size \
                \(metrics.scale.size) needs \(least), so nothing is drawn; \(least) or more is accepted.
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
