public import Attribution

/// A picture that a device draws, as SVG or as text.
public enum DevicePicture: Sendable {
    /// An attribution view.
    case attribution(AttributionDrawing)

    /// A menu or a question.
    case card(MenuCardDrawing)

    /// A shelf.
    case shelf(ShelfDrawing)

    /// Returns the picture as SVG.
    public func svg(_ appearance: Appearance) -> String {
        switch self {
        case .attribution(let drawing): drawing.svg(appearance)
        case .card(let drawing): drawing.svg(appearance.style)
        case .shelf(let drawing): drawing.svg(appearance.style)
        }
    }

    /// The picture as text, as a terminal can show it.
    public var terminalText: String {
        switch self {
        case .attribution(let drawing): drawing.terminalText
        case .card(let drawing): drawing.terminalText
        case .shelf(let drawing): drawing.terminalText
        }
    }
}
