internal import WaypostSchema

/// The lengths in a menu, from the size of text.
///
/// They are ours.
struct MenuCardMetrics: Sendable {
    private let scale: TextScale

    /// Creates the lengths for a size of text.
    init(_ category: ContentSizeCategory) {
        scale = TextScale(category)
    }

    /// The radius of the card's corners.
    static let radius = Points(14)

    /// What is between the card's edge and text at its left and right.
    static let padding = Points(16)

    /// The width of the card: it grows with text, but stays narrower than a telephone.
    var width: Points { Points(min(max(scale.lineHeight * 13, 250), 358)) }

    /// The room for text.
    var textWidth: Points { width - Self.padding * 2 }

    /// The title.
    var title: LineStyle { LineStyle(scale, weight: .bold) }

    /// The message.
    var message: LineStyle { LineStyle(scale, percent: 90) }

    /// Returns how the title of a row looks: what changes nothing stands out, so that it is found.
    func row(of kind: MenuCard.Row.Kind) -> LineStyle {
        LineStyle(scale, percent: 110, weight: kind == .cancel ? .bold : .normal)
    }
}
