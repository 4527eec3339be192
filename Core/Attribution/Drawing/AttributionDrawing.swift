internal import TextBasics
internal import WaypostSchema

/// A drawing of an attribution view's layout, as a picture or as a line of text.
///
/// The picture depends only on the content, the layout and the appearance. The device draws it; apps never receive it.
public struct AttributionDrawing: Sendable, Equatable {
    /// The content of the view.
    public let content: AttributionContent

    /// The layout of the view.
    public let layout: AttributionLayout

    /// Creates the drawing.
    ///
    /// - Parameters:
    ///   - content: the content of the view.
    ///   - layout: the layout, which must have been made from `content`.
    public init(content: AttributionContent, layout: AttributionLayout) {
        self.content = content
        self.layout = layout
    }

    /// Returns the view as an SVG picture of its size, with a description of the content as its title.
    ///
    /// If nothing is drawn, the picture has only the title.
    public func svg(_ appearance: Appearance = Appearance()) -> String {
        var document = SVGDocument(size: layout.size, label: content.label, language: content.language)
        document.contents = elements(appearance, &document.definitions)
        return document.xml
    }

    /// Returns the elements of the view, clipped to its edges; empty if nothing is drawn.
    func elements(_ appearance: Appearance, _ definitions: inout SVGDefinitions) -> [SVGElement] {
        guard layout.outcome != .notDrawn else { return [] }
        let frame = LayoutRectangle(x: .zero, y: .zero, width: layout.size.width, height: layout.size.height)
        let backdrop = BackdropDrawing(kind: appearance.backdrop, style: appearance.style, frame: frame)
        let background = BackgroundDrawing(layout: layout, backdrop: backdrop)
        let avatars = AvatarDrawing(avatars: layout.avatars, style: appearance.style)
        let color = background.textColor
        let contents =
            backdrop.elements + background.elements(&definitions) + avatars.elements(&definitions)
            + [layout.pin.map { PinDrawing.element(in: $0, color) }, layout.text.map { SVGElement($0, fill: color) }]
            .compactMap { $0 }
        return [SVGElement(.g, [.clipPath: definitions.addClip(SVGElement(frame, fill: color))], children: contents)]
    }
}

extension AttributionDrawing {
    /// The view as a line of text without a line break: avatars, names and the pin, as far as the layout shows them.
    ///
    /// It is empty if nothing is drawn.
    public var terminalText: String {
        guard layout.outcome != .notDrawn else { return "" }
        let avatars = layout.avatars.map { "(\($0.person.monogram.terminalText))" }.joined()
        let pin = layout.pin.map { _ in " [\(Phrase.pinned.text(in: content.language))]" }
        return [avatars, layout.text.map { $0.text.safe(for: .terminal) }, pin].compactMap { $0 }
            .joined(separator: " ")
    }
}

extension Monogram {
    /// The letters, or a dot if there are none.
    fileprivate var terminalText: String {
        switch self {
        case .letters(let letters): letters.safe(for: .terminal)
        case .silhouette: "·"
        }
    }
}
