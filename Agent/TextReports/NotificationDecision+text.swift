package import WaypostSchema

extension NotificationDecision {
    /// The decision as text: the place, the sound, the badge, and then each gate; then the group, the app, the Live Activity and the findings.
    package var text: String {
        let place =
            switch presentation {
            case .immediate: "shown at once"
            case .list: "in the list only"
            case .summary: "in the scheduled summary"
            case .pending: "waiting for the service extension"
            case .nowhere: "not shown"
            }
        let parts = [place, sound.map { "sound '\($0.name)'" } ?? "no sound", badge.map { "badge \($0)" }]
        let head = "\(parts.compactMap(\.self).joined(separator: ", ")): \(explanation)"
        var lines = [head] + Self.lines(of: gates)
        if let grouping { lines.append("group: \(grouping)") }
        if let launch { lines += [launch.head] + Self.lines(of: launch.gates) }
        if let liveActivity {
            let head = "Live Activity \(liveActivity.outcome.rawValue): \(liveActivity.explanation)"
            lines += [head] + Self.lines(of: liveActivity.gates)
        }
        lines += (findings ?? []).map(\.text)
        return lines.joined(separator: "\n")
    }

    /// Returns a line for each gate; the first one that failed decided, and is marked.
    private static func lines(of gates: [NotificationVerdict]) -> [String] {
        let width = gates.map(\.gate.rawValue.count).max() ?? 0
        let decidingGate = gates.first { $0.status == .fail }?.gate
        return gates.map { gate in
            let name = gate.gate.rawValue + String(repeating: " ", count: width - gate.gate.rawValue.count)
            let pointer = gate.gate == decidingGate ? "▶" : " "
            return "\(pointer) \(gate.status.mark)  \(name)  \(gate.explanation)"
        }
    }
}

extension LaunchDecision {
    fileprivate var head: String {
        let result = fetchResult.map { ", and the app answered \($0.rawValue)" } ?? ""
        let subject = receiver.map { "receiver \($0.rawValue)" } ?? "app"
        return "\(subject) \(outcome.rawValue): \(explanation)\(result)"
    }
}
