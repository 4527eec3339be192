internal import WaypostSchema

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
