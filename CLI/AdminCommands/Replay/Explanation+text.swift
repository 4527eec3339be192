internal import Highlights
internal import WaypostSchema

extension LinkExplanation {
    /// The explanation as text: each gate, with the deciding one marked, and the rank with the terms of its score.
    var text: String {
        let verdict = isSurfaced ? "shown" : "not shown"
        let head = "\(app): \(verdict)\(decidedBy.map { ", stopped by \($0.rawValue)" } ?? "")  \(url)"
        let width = SurfacingGate.allCases.map(\.rawValue.count).max() ?? 0
        let lines = gates.map { gate in
            let name = gate.gate.rawValue + String(repeating: " ", count: width - gate.gate.rawValue.count)
            return
                "\(gate.gate == decidedBy ? "▶" : " ") \(gate.status.mark)  \(name)  \(gate.explanation)\(gate.choice)"
        }
        return ([head] + lines + (rank.map { [$0.text] } ?? []) + otherMessages).joined(separator: "\n")
    }

    private var otherMessages: [String] {
        messages.filter { $0.message != message }.map { other in
            let end = other.decidedBy.map { "stopped by \($0.rawValue)" } ?? "shown"
            return "  also in the message \(other.message) of \(other.conversation): \(end)"
        }
    }
}

extension GateVerdict {
    /// The rule and the user's choice that decided; empty if the user's choices are ignored by the gate.
    fileprivate var choice: String {
        guard let rule else { return "" }
        return " (\(rule.rawValue)\(record.map { ", \($0.at.text)" } ?? ""))"
    }
}

extension GateVerdict.Status {
    fileprivate var mark: String {
        switch self {
        case .pass: "✓"
        case .fail: "✗"
        case .notReached: "·"
        }
    }
}

extension HighlightRank {
    /// The place and the terms of the score, on separate lines.
    var text: String {
        let sum = terms.map { "    \($0.points > 0 ? "+" : "")\($0.points)  \($0.signal.rawValue): \($0.explanation)" }
        return (["  place \(position + 1), \(section.rawValue), score \(score):"] + sum).joined(separator: "\n")
    }

    /// The terms of the score, on one line.
    var shortSum: String {
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
    var text: String {
        guard state == .ready else { return "\(app): \(state.rawValue): \(explanation)" }
        let gap = curationGap.map { "not curated: \($0.rawValue)" } ?? "the first one curated"
        let head = "\(app): \(total) in all, \(gap)"
        let rows = items.map { item in
            [
                "\(item.rank.position + 1)", item.rank.sectionText, item.highlight.url, "\(item.rank.score)",
                item.rank.shortSum,
            ]
        }
        return head + "\n" + TextTable(header: ["", "Section", "URL", "Score", "Sum"], rows: rows).text
    }
}
