import WaypostSchema

/// The list of an app that only follows updates and reads nothing.
struct FollowedList {
    private(set) var highlights: [Highlight] = []
    private(set) var number = 0

    /// Applies an update; returns `false` if it does not fit the list.
    mutating func follow(_ update: HighlightsUpdate) -> Bool {
        guard update.number == number + 1 else { return false }
        number = update.number
        for change in update.changes.filter({ $0.from != nil }).sorted(by: { ($0.from ?? 0) > ($1.from ?? 0) }) {
            guard let from = change.from, highlights.indices.contains(from),
                highlights[from].id == change.highlight.id
            else { return false }
            highlights.remove(at: from)
        }
        for change in update.changes.filter({ $0.to != nil }).sorted(by: { ($0.to ?? 0) < ($1.to ?? 0) }) {
            guard let place = change.to, place <= highlights.count else { return false }
            highlights.insert(change.highlight, at: place)
        }
        return highlights.count == update.total
    }
}
