internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// The rules for whether a push reaches a receiver of its app, as a value.
///
/// The conditions are those of the table of push types (`PushTypeContract`). That a push above the budget is dropped is
/// documented for complications, and a rule of Waypost for the others.
struct ReceiverRules {
    /// The receiver.
    let receiver: PushReceiver

    /// The app.
    let app: BundleIdentifier

    /// The payload.
    let payload: JSONValue

    /// The version of the device's system; `nil` if nothing depends on it.
    let system: SystemVersion?

    /// The user's decision about the location.
    let locationAuthorization: LocationAuthorization

    /// Whether the app is in the foreground.
    let isInForeground: Bool

    /// The budget of the receiver; `nil` for none.
    let budget: BudgetRule?

    /// The pushes before that reached the receiver.
    let pushes: CountedPushes

    /// The time of the device.
    let now: Timestamp

    /// The decision, with the verdict of every gate.
    var decision: LaunchDecision {
        let allGates: [NotificationVerdict?] = [receiverGate, systemGate, locationGate, contentGate, budgetGate]
        let gates = allGates.compactMap(\.self).untilFirstFailure
        if let failure = gates.first(where: { $0.status == .fail }) {
            return LaunchDecision(
                outcome: .dropped,
                gates: gates,
                explanation: failure.explanation,
                receiver: receiver
            )
        }
        return LaunchDecision(
            outcome: isInForeground && receiver.extensionFunction == nil ? .delivered : .launched,
            gates: gates,
            explanation: receiver.sentence(for: app),
            receiver: receiver
        )
    }

    /// The gate that says why the push is for this app: a device without the receiver discards it.
    private var receiverGate: NotificationVerdict {
        NotificationVerdict(
            .receiver,
            passes: true,
            explanation: "\(app) has '\(receiver.rawValue)' among its pushReceivers"
        )
    }

    private var systemGate: NotificationVerdict? {
        guard let system, let requirement = receiver.systemRequirement else { return nil }
        return .system(requirement, on: system)
    }

    private var locationGate: NotificationVerdict? {
        guard receiver == .location else { return nil }
        let passes = locationAuthorization == .authorizedAlways
        let status = "the location authorization of \(app) is \(locationAuthorization.rawValue)"
        return NotificationVerdict(
            .locationAuthorization,
            passes: passes,
            explanation: passes ? status : "\(status); location pushes need authorizedAlways"
        )
    }

    private var contentGate: NotificationVerdict? {
        switch receiver {
        case .widgets, .controls:
            let passes = payload["aps"]?["content-changed"] == .bool(true)
            let reason = passes ? "is true" : "is not true, so nothing is reloaded"
            return NotificationVerdict(.content, passes: passes, explanation: "aps.content-changed \(reason)")
        case .fileProvider:
            let container = payload["container-identifier"]?.string
            let name = "container-identifier"
            let explanation =
                container.map { "\(name) is '\($0.safe(for: .excerpt))'" } ?? "the payload has no \(name) beside aps"
            return NotificationVerdict(.content, passes: container != nil, explanation: explanation)
        case .location, .complication: return nil
        }
    }

    private var budgetGate: NotificationVerdict? {
        budget?.gate(after: pushes, of: app, otherwise: "is dropped", at: now)
    }
}

extension BudgetRule {
    /// Returns the budget of an app for pushes to a receiver; `nil` for none.
    static func receiver(_ receiver: PushReceiver, of app: AppDescription) -> Self? {
        let subject = "pushes for \(receiver.rawValue)"
        if let budget = app.budgets?[receiver] { return Self(budget, named: receiver.rawValue, for: subject) }
        guard let rule = receiver.pushType.contract?.budget, let budget = rule.value else { return nil }
        return Self(budget, rule.evidence, for: subject)
    }
}
