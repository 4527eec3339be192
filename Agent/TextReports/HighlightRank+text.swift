internal import Highlights
package import WaypostSchema

extension HighlightRank {
    /// The place and the terms of the score, on separate lines.
    package var text: String {
        let sum = terms.map { "    \($0.points > 0 ? "+" : "")\($0.points)  \($0.signal.rawValue): \($0.explanation)" }
        return (["  place \(position + 1), \(section.rawValue), score \(score):"] + sum).joined(separator: "\n")
    }

    /// The terms of the score, on one line.
    package var compactScore: String {
        terms.map { "\($0.points > 0 ? "+" : "")\($0.points) \($0.signal.rawValue)" }.joined(separator: " ")
    }

    /// The section, and the reason why the item cannot have the first place, if there is one.
    fileprivate var sectionText: String {
        switch firstPlaceGap {
        case .tooRecent: "\(section.rawValue), too recent for 1"
        case .stale: "\(section.rawValue), stale"
        case nil: section.rawValue
        }
    }
}

extension ShelfReport {
    /// The shelf as a table.
    package var text: String {
        guard state == .ready else { return "\(app): \(state.rawValue): \(explanation)" }
        let gap = curationGap.map { "not curated: \($0.rawValue)" } ?? "the first one curated"
        let head = "\(app): \(total) in all, \(gap)"
        let rows = items.map { item in
            [
                "\(item.rank.position + 1)", item.rank.sectionText, item.highlight.url, "\(item.rank.score)",
                item.rank.compactScore,
            ]
        }
        return head + "\n" + TextTable(header: ["", "Section", "URL", "Score", "Sum"], rows: rows).text
    }
}
