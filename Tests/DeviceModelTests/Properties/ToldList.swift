import WaypostSchema

/// The list of an app that only follows updates, by the rule of `HighlightChange`.
struct ToldList {
    private(set) var list: [Highlight] = []
    private(set) var state: HighlightsState
    private(set) var number = 0

    /// Creates the list of an app that has not received an update.
    init(hasCapability: Bool) {
        state = hasCapability ? .notLoaded : .denied
    }

    /// Applies an update and returns the error in it.
    mutating func follow(_ update: HighlightsUpdate) -> String? {
        number += 1
        guard update.number == number else { return "number \(update.number) instead of \(number)" }
        guard !update.changes.isEmpty || update.state != state else { return "update \(number) changes nothing" }
        state = update.state
        for change in update.changes.filter({ $0.from != nil }).sorted(by: { ($0.from ?? 0) > ($1.from ?? 0) }) {
            guard let from = change.from, list.indices.contains(from) else { return "no place \(change)" }
            let old = list.remove(at: from)
            guard old.id == change.highlight.id else { return "another highlight at \(change)" }
        }
        for change in update.changes.filter({ $0.to != nil }).sorted(by: { ($0.to ?? 0) < ($1.to ?? 0) }) {
            guard let place = change.to, place <= list.count else { return "no place \(change)" }
            list.insert(change.highlight, at: place)
        }
        guard update.total == list.count else { return "a total of \(update.total) instead of \(list.count)" }
        return nil
    }
}
