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
        case .tooRecent: "\(section.rawValue), too new for the first place"
        case .stale: "\(section.rawValue), stale"
        case nil: section.rawValue
        }
    }
}

extension CurationGapReason {
    /// The reason in words.
    fileprivate var text: String {
        let minutes = RankingRules().minimumAge / 60_000
        return switch self {
        case .empty: "there is nothing to show"
        case .tooRecent: "everything was shared less than \(minutes) minutes ago"
        case .stale: "everything was shared too long ago, and nothing is pinned"
        case .tooRecentOrStale:
            "everything was shared less than \(minutes) minutes ago, or too long ago and is not pinned"
        }
    }
}

extension ShelfReport {
    /// The shelf as a table.
    package var text: String {
        guard state == .ready else { return "\(app): \(state.rawValue): \(explanation)" }
        let gap = curationGap.map { "not curated: \($0.text)" } ?? "the first one curated"
        let tail = stale.map { "; the last \($0 == 1 ? "one" : "\($0)") stale, after Show More" } ?? ""
        let head = "\(app): \(total) in all, \(gap)\(tail)"
        let rows = items.map { item in
            [
                "\(item.rank.position + 1)", item.rank.sectionText, item.highlight.url, "\(item.rank.score)",
                item.rank.compactScore,
            ]
        }
        return head + "\n" + TextTable(header: ["", "Section", "URL", "Score", "Sum"], rows: rows).text
    }
}
