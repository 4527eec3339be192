internal import WaypostSchema

/// The metrics of a menu, derived from the text size.
///
/// The values are Waypost's own.
struct MenuCardMetrics: Sendable {
    private let scale: TextScale

    private let layoutDirection: LayoutDirection

    /// The metrics of the avatars, which are as in attribution views.
    let avatars: LayoutMetrics

    /// Creates the metrics for a text size and a layout direction.
    init(_ category: ContentSizeCategory, _ layoutDirection: LayoutDirection) {
        scale = TextScale(category)
        avatars = LayoutMetrics(category)
        self.layoutDirection = layoutDirection
    }

    /// The mirror of the picture.
    var mirror: LayoutMirror { LayoutMirror(direction: layoutDirection, width: width) }

    /// The radius of the card's corners.
    static let radius = Points(14)

    /// The space between the card's left or right edge and the text.
    static let padding = Points(16)

    /// The width of the card: it grows with the text, but stays narrower than a phone.
    var width: Points { Points(min(max(scale.lineHeight * 13, 250), 358)) }

    /// The width of the text.
    var textWidth: Points { width - Self.padding * 2 }

    /// Returns the number of avatars beside a row's title: as many as fit into a third of the text's width.
    ///
    /// It is at least one, unless there are no people.
    func avatarCount(for people: Int) -> Int {
        let limit = (1...LayoutMetrics.maximumAvatars).last { indent(ofAvatars: $0) * 3 <= textWidth } ?? 1
        return min(people, limit)
    }

    /// Returns the width of avatars beside a row's title, with the gap after them.
    func indent(ofAvatars count: Int) -> Points {
        count == 0 ? .zero : avatars.width(ofAvatars: count) + avatars.gap
    }

    /// The style of the title.
    var titleStyle: LineStyle { LineStyle(scale, weight: .bold) }

    /// The style of the message.
    var messageStyle: LineStyle { LineStyle(scale, percent: 90) }

    /// Returns the style of a row's title; the row that changes nothing is bold, so that it is easy to find.
    func rowStyle(for kind: MenuCard.Row.Kind) -> LineStyle {
        LineStyle(scale, percent: 110, weight: kind == .cancel ? .bold : .normal)
    }
}
