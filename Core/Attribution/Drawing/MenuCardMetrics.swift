internal import WaypostSchema

/// The metrics of a menu, derived from the text size.
///
/// The values are Waypost's own.
struct MenuCardMetrics: Sendable {
    private let scale: TextScale

    /// Creates the metrics for a text size.
    init(_ category: ContentSizeCategory) {
        scale = TextScale(category)
    }

    /// The radius of the card's corners.
    static let radius = Points(14)

    /// The space between the card's left or right edge and the text.
    static let padding = Points(16)

    /// The width of the card: it grows with the text, but stays narrower than a phone.
    var width: Points { Points(min(max(scale.lineHeight * 13, 250), 358)) }

    /// The width of the text.
    var textWidth: Points { width - Self.padding * 2 }

    /// The style of the title.
    var titleStyle: LineStyle { LineStyle(scale, weight: .bold) }

    /// The style of the message.
    var messageStyle: LineStyle { LineStyle(scale, percent: 90) }

    /// Returns the style of a row's title; the row that changes nothing is bold, so that it is easy to find.
    func rowStyle(for kind: MenuCard.Row.Kind) -> LineStyle {
        LineStyle(scale, percent: 110, weight: kind == .cancel ? .bold : .normal)
    }
}
