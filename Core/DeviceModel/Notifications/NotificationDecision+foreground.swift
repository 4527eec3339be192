internal import WaypostSchema

/// The state of an app when one of its notifications arrives.
enum ForegroundState {
    /// It is not in the foreground.
    case background

    /// It is in the foreground, and presents these parts.
    case presents(Set<PresentationOption>)

    /// It is in the foreground, and has no delegate that the system could ask.
    case hasNoDelegate

    /// It has no effect: a Live Activity appears in any case.
    case irrelevant

    /// Whether the system asks the app.
    var isAsked: Bool {
        if case .presents = self { true } else { false }
    }
}

extension NotificationDecision {
    /// Returns the decision with the verdict of the foreground gate, which follows the alert gate.
    ///
    /// An app in the foreground decides about each part that would appear (`UNNotificationPresentationOptions`).
    func applyingForegroundGate(_ state: ForegroundState, of app: BundleIdentifier) -> NotificationDecision {
        var decision = self
        let index = (gates.firstIndex { $0.gate == .alert } ?? 0) + 1
        let isReached = gates.contains { $0.gate == .alert && $0.status != .notReached }
        decision.gates.insert(isReached ? gate(for: state, of: app) : .notReached(.foreground), at: index)
        guard isReached, case .presents(let parts) = state else { return decision }
        decision.presentation = Self.presentation(presentation, limitedTo: parts)
        if decision.presentation != presentation { decision.explanation = decision.gates[index].explanation }
        decision.suppress(.sound, of: app, unless: parts.contains(.sound))
        decision.suppress(.badge, of: app, unless: parts.contains(.badge))
        return decision
    }

    private func gate(for state: ForegroundState, of app: BundleIdentifier) -> NotificationVerdict {
        switch state {
        case .background:
            return NotificationVerdict(
                .foreground,
                passes: true,
                explanation: "\(app) is not in the foreground"
            )
        case .hasNoDelegate:
            let reason = "\(app) is in the foreground, and has no delegate for notifications: they appear as they are"
            return NotificationVerdict(.foreground, passes: true, explanation: reason)
        case .irrelevant:
            return NotificationVerdict(.foreground, passes: true, explanation: "no app is asked about a Live Activity")
        case .presents(let parts):
            let names = PresentationOption.allCases.filter(parts.contains).map(\.rawValue).joined(separator: ", ")
            let isUnchanged = Self.presentation(presentation, limitedTo: parts) == presentation
            let listNote = parts.contains(.banner) && !isUnchanged ? ", but not the list" : ""
            let reason = "\(app) is in the foreground, and presents \(names.isEmpty ? "nothing" : names)\(listNote)"
            return NotificationVerdict(.foreground, passes: isUnchanged, explanation: reason)
        }
    }

    /// Returns the place of a notification whose app presents only these parts in the foreground.
    private static func presentation(
        _ presentation: Presentation,
        limitedTo parts: Set<PresentationOption>
    ) -> Presentation {
        if presentation == .immediate, parts.contains(.banner) { return .immediate }
        guard parts.contains(.list) else { return .nowhere }
        return presentation == .immediate ? .list : presentation
    }

    /// Removes the sound or the badge, and says why.
    private mutating func suppress(_ gate: NotificationGate, of app: BundleIdentifier, unless isPresented: Bool) {
        guard !isPresented, let index = gates.firstIndex(where: { $0.gate == gate && $0.status == .pass }) else {
            return
        }
        let reason = "\(app) is in the foreground, and does not present the \(gate.rawValue)"
        gates[index] = NotificationVerdict(gate, passes: false, explanation: reason)
        if gate == .sound { sound = nil } else { badge = nil }
    }
}
