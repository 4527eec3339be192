package import WaypostSchema

extension NotificationDecision {
    /// The decision as text: the place, the sound, the badge, and then each gate.
    package var text: String {
        let place =
            switch presentation {
            case .immediate: "shown at once"
            case .list: "in the list only"
            case .summary: "in the scheduled summary"
            case .nowhere: "not shown"
            }
        let parts = [place, sound.map { "sound '\($0.name)'" } ?? "no sound", badge.map { "badge \($0)" }]
        let width = NotificationGate.allCases.map(\.rawValue.count).max() ?? 0
        let lines = gates.map { gate in
            let name = gate.gate.rawValue + String(repeating: " ", count: width - gate.gate.rawValue.count)
            return "  \(gate.status.mark)  \(name)  \(gate.explanation)"
        }
        let head = "\(parts.compactMap(\.self).joined(separator: ", ")): \(explanation)"
        return ([head] + lines).joined(separator: "\n")
    }
}
