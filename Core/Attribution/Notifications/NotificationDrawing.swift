public import WaypostSchema

/// A drawing of notifications: a banner, or the Lock Screen.
public struct NotificationDrawing: Sendable {
    /// The notifications, from top to bottom.
    public let cards: [NotificationCard]

    /// The language of the text.
    public let language: AttributionLanguage

    /// The time of day above the notifications; `nil` for a banner.
    private let clock: String?

    private let metrics: NotificationMetrics

    /// Creates the drawing of a banner.
    ///
    /// - Parameters:
    ///   - card: the notification.
    ///   - language: the language of the text.
    ///   - width: the width of the screen, in points; at least 160.
    ///   - category: the user's preferred text size.
    ///   - layoutDirection: the layout direction of the user's language.
    public init(
        banner card: NotificationCard,
        in language: AttributionLanguage,
        width: Int = 390,
        preferredContentSizeCategory category: ContentSizeCategory = .large,
        layoutDirection: LayoutDirection = .leftToRight
    ) {
        cards = [card]
        self.language = language
        clock = nil
        metrics = NotificationMetrics(category, width: width, maximumBodyLines: 2, layoutDirection)
    }

    /// Creates the drawing of the Lock Screen.
    ///
    /// - Parameters:
    ///   - cards: the newest notification of each group, from top to bottom.
    ///   - now: the present time; the clock shows it in UTC.
    ///   - language: the language of the text.
    ///   - width: the width of the screen, in points; at least 160.
    ///   - category: the user's preferred text size.
    ///   - layoutDirection: the layout direction of the user's language.
    public init(
        lockScreen cards: [NotificationCard],
        at now: Timestamp,
        in language: AttributionLanguage,
        width: Int = 390,
        preferredContentSizeCategory category: ContentSizeCategory = .large,
        layoutDirection: LayoutDirection = .leftToRight
    ) {
        self.cards = cards
        self.language = language
        let minutes = now.rawValue / 60_000 % 1_440
        clock = "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        metrics = NotificationMetrics(category, width: width, maximumBodyLines: 4, layoutDirection)
    }

    /// Returns the picture as SVG, as high as its content.
    public func svg(_ style: Appearance.Style = .light) -> String {
        var definitions = SVGDefinitions()
        var contents: [SVGElement] = []
        var y = NotificationMetrics.margin
        if let clock {
            let lineStyle = metrics.clockStyle(for: clock)
            let x = (metrics.width - lineStyle.width(of: clock)).half
            let clockWidth = lineStyle.width(of: clock)
            contents += SVGElement.lines(
                [clock],
                lineStyle,
                x: x,
                y: y,
                maximumWidth: clockWidth,
                fill: Palette[style].label,
                mirror: metrics.mirror
            )
            y += lineStyle.lineHeight + NotificationMetrics.margin
        }
        for card in cards.map({ NotificationCardDrawing($0, metrics) }) {
            contents += card.elements(at: y, style, &definitions)
            y += card.height + NotificationMetrics.margin
        }
        let size = ExactLayoutSize(width: metrics.width, height: y)
        var document = SVGDocument(size: size, label: label, language: language)
        let frame = LayoutRectangle(x: .zero, y: .zero, width: size.width, height: size.height)
        document.contents = [SVGElement(frame, fill: Palette[style].background)] + contents
        document.definitions = definitions
        return document.xml
    }

    /// A description of everything that the picture shows.
    private var label: String {
        let texts = cards.map { card in
            [card.title, card.subtitle, card.body, card.time, card.more].compactMap { $0 }.joined(separator: ", ")
        }
        return ([clock].compactMap { $0 } + texts).joined(separator: "; ")
    }
}
