internal import WaypostSchema

/// Draws an attribution view that was laid out, as a picture or as a line of text.
///
/// The picture is a function of content and layout: the device draws it, and no app gets it.
public struct AttributionDrawing: Sendable, Equatable {
    /// What is shown.
    public let content: AttributionContent

    /// Where it stands.
    public let layout: AttributionLayout

    /// Creates the drawing.
    ///
    /// - Parameters:
    ///   - content: what is shown.
    ///   - layout: where it stands; it was made from `content`.
    public init(content: AttributionContent, layout: AttributionLayout) {
        self.content = content
        self.layout = layout
    }

    /// Returns the view as an SVG picture of its size, with everything that is to be seen as its title.
    ///
    /// Where nothing is drawn it is empty but for the title.
    public func svg(_ appearance: Appearance = Appearance()) -> String {
        var document = SVGDocument(size: layout.size, label: content.label, language: content.language)
        document.contents = elements(appearance, &document.definitions)
        return document.text
    }

    /// Returns what is drawn, cut off at the edges of the view; empty where nothing is.
    func elements(_ appearance: Appearance, _ definitions: inout SVGDefinitions) -> [SVGElement] {
        guard layout.outcome != .notDrawn else { return [] }
        let frame = LayoutRectangle(x: .zero, y: .zero, width: layout.size.width, height: layout.size.height)
        let backdrop = Backdrop(kind: appearance.backdrop, style: appearance.style, frame: frame)
        let background = AttributionBackground(layout: layout, backdrop: backdrop)
        let avatars = AvatarDrawing(avatars: layout.avatars, style: appearance.style)
        let color = background.textColor
        let contents =
            backdrop.elements + background.elements(&definitions) + avatars.elements(&definitions)
            + [layout.pin.map { PinDrawing.element(in: $0, color) }, layout.text.map { SVGElement($0, fill: color) }]
            .compactMap { $0 }
        return [SVGElement(.g, [.clipPath: definitions.clip(SVGElement(frame, fill: color))], contents)]
    }
}

extension AttributionDrawing {
    /// The view as a line of text, without a line break: avatars, names and the pin, as much of them as the layout shows.
    ///
    /// Where nothing is drawn it is empty.
    public var terminalText: String {
        guard layout.outcome != .notDrawn else { return "" }
        let avatars = layout.avatars.map { "(\($0.person.monogram.terminalText))" }.joined()
        let pin = layout.pin.map { _ in " [\(Phrase.pinned.text(in: content.language))]" }
        return [avatars, layout.text.map { TerminalText.safe($0.text) }, pin].compactMap { $0 }
            .joined(separator: " ")
    }
}

extension Monogram {
    /// The letters, or a dot for who has none.
    fileprivate var terminalText: String {
        switch self {
        case .letters(let letters): TerminalText.safe(letters)
        case .silhouette: "·"
        }
    }
}
