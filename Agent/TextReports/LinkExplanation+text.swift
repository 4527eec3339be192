internal import Highlights
package import WaypostSchema

extension LinkExplanation {
    /// The explanation as text: each gate, with the deciding one marked, and the rank with the terms of its score.
    package var text: String {
        let verdict = isSurfaced ? "shown" : "not shown"
        let head = "\(app): \(verdict)\(decidedBy.map { ", stopped by \($0.rawValue)" } ?? "")  \(url)"
        let width = SurfacingGate.allCases.map(\.rawValue.count).max() ?? 0
        let lines = gates.map { gate in
            let name = gate.gate.rawValue + String(repeating: " ", count: width - gate.gate.rawValue.count)
            let pointer = gate.gate == decidedBy ? "▶" : " "
            return "\(pointer) \(gate.status.mark)  \(name)  \(gate.explanation)\(gate.ruleText)"
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
    fileprivate var ruleText: String {
        guard let rule else { return "" }
        return " (\(rule.rawValue)\(record.map { ", \($0.at.text)" } ?? ""))"
    }
}

extension GateVerdict.Status {
    /// The sign of the status in a list of gates.
    var mark: String {
        switch self {
        case .pass: "✓"
        case .fail: "✗"
        case .notReached: "·"
        }
    }
}
