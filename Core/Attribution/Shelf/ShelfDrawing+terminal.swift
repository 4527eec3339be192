extension ShelfDrawing {
    /// The shelf as lines of text: the heading, three lines for each card at most, and Show More; each ends with a line
    /// break.
    public var terminalText: String {
        let cards = self.cards.enumerated().map { index, card in
            "\n" + Self.lines(of: card, number: index + 1)
        }
        let showMore = content.showMoreTitle.map { "\n\(TerminalText.safe($0))\n" } ?? ""
        return "\(TerminalText.safe(content.heading))\n\(cards.joined())\(showMore)"
    }

    private static func lines(of card: ShelfCardDrawing, number: Int) -> String {
        let start = "\(number). "
        let indent = String(repeating: " ", count: start.count)
        let below = [card.card.subtitle.map(TerminalText.safe), card.attribution.terminalText].compactMap { $0 }
            .filter { !$0.isEmpty }
        return ([start + TerminalText.safe(card.card.title)] + below.map { indent + $0 }).map { "\($0)\n" }.joined()
    }
}
