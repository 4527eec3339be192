import Attribution
import Testing
import WaypostSchema

/// A picture of the gallery, with its text for a terminal.
struct Picture: Sendable, CustomTestStringConvertible {
    var name: String
    let svg: String
    let terminalText: String

    /// Whether the view clips parts on purpose, so that they may exceed its edges.
    var isCut = false

    /// Whether its letters may be of any script: a machine may have no font for it, and the widths then differ from
    /// those of the table.
    var isOfAnyScript = false

    var testDescription: String { name }
}

extension Picture {
    init(_ name: String, _ drawing: AttributionDrawing, _ appearance: Appearance = Appearance()) {
        self.name = name
        svg = drawing.svg(appearance)
        terminalText = drawing.terminalText
        isCut = drawing.layout.outcome == .clipped || appearance.backdrop == .colorful
    }

    init(_ name: String, _ drawing: ShelfDrawing, _ style: Appearance.Style = .light) {
        self.name = name
        svg = drawing.svg(style)
        terminalText = drawing.terminalText
    }

    init(_ name: String, _ drawing: NotificationDrawing, _ style: Appearance.Style = .light) {
        self.name = name
        svg = drawing.svg(style)
        terminalText = ""
    }

    init(_ name: String, _ drawing: MenuCardDrawing, _ style: Appearance.Style = .light) {
        self.name = name
        svg = drawing.svg(style)
        terminalText = drawing.terminalText
    }
}

extension AttributionDrawing {
    /// Returns a drawing of a link that people shared.
    static func of(
        _ people: [Person],
        _ language: AttributionLanguage = .english,
        isPinned: Bool = false,
        preferences: AttributionPreferences = AttributionPreferences(),
        size: ContentSizeCategory = .large
    ) -> AttributionDrawing {
        let content = AttributionContent(SharedLink.shared(by: people, isPinned: isPinned), in: language)
        return AttributionDrawing(
            content: content,
            layout: AttributionLayout(content, preferences, preferredContentSizeCategory: size)
        )
    }
}
