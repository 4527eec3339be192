internal import PushRules
internal import WaypostSchema

/// The rules for whether a background notification, a call or a push to talk starts its app, as a value.
///
/// The conditions are those of "Pushing background updates to your App" (User Notifications) and of
/// `UIApplication.backgroundRefreshStatus`. Apple gives no number for its budget, but advises at most two or three
/// notifications an hour; the third is the last one here (`PushTypeContract`), unless the app's description says
/// otherwise.
struct LaunchRules {
    /// The app.
    let app: BundleIdentifier

    /// The ways in which the app runs in the background.
    let modes: [BackgroundMode]

    /// The mode that the push needs.
    let mode: BackgroundMode

    /// Whether the user allows Background App Refresh for the app.
    let isRefreshOn: Bool

    /// Whether Low Power Mode is on.
    let isLowPowerModeOn: Bool

    /// Whether the user forced the app to quit.
    let isForceQuit: Bool

    /// Whether the app is in the foreground.
    let isInForeground: Bool

    /// The budget for launches, or for service updates of push to talk; `nil` for none.
    let budget: BudgetRule?

    /// The launches or the service updates before.
    let launches: CountedPushes

    /// The number of VoIP pushes in a row for which the app reported no call; `nil` if it need not report one.
    let missedCalls: Int?

    /// The time of the device.
    let now: Timestamp

    /// The decision, with the verdict of every gate.
    var decision: LaunchDecision {
        let gates = gates
        let failure = gates.first { $0.status == .fail }
        guard let failure else {
            let outcome: LaunchDecision.Outcome = isInForeground ? .delivered : .launched
            let reason = isInForeground ? "\(app) receives it in the foreground" : "\(app) is started in the background"
            return LaunchDecision(outcome: outcome, gates: gates, explanation: reason)
        }
        let isHeld = mode == .remoteNotification && (failure.gate == .lowPowerMode || failure.gate == .budget)
        return LaunchDecision(outcome: isHeld ? .held : .dropped, gates: gates, explanation: failure.explanation)
    }

    private var gates: [NotificationVerdict] {
        // A push for a call or a conversation is delivered at once.
        guard mode == .remoteNotification else {
            return [modeGate, reportGate, budgetGate].compactMap(\.self).untilFirstFailure
        }
        guard !isInForeground else { return [] }
        let gates = [modeGate, quitGate, refreshGate, powerGate, budgetGate]
        return gates.compactMap(\.self).untilFirstFailure
    }

    private var modeGate: NotificationVerdict {
        let hasMode = modes.contains(mode)
        let verb = hasMode ? "has" : "does not have"
        return NotificationVerdict(
            .backgroundMode,
            passes: hasMode,
            explanation: "\(app) \(verb) the background mode \(mode.rawValue)"
        )
    }

    private var quitGate: NotificationVerdict {
        let reason = isForceQuit ? "the user forced \(app) to quit" : "the user did not force \(app) to quit"
        return NotificationVerdict(.forceQuit, passes: !isForceQuit, explanation: reason)
    }

    private var refreshGate: NotificationVerdict {
        let reason = "Background App Refresh of \(app) is \(isRefreshOn ? "on" : "off")"
        return NotificationVerdict(.backgroundRefresh, passes: isRefreshOn, explanation: reason)
    }

    private var powerGate: NotificationVerdict {
        let reason = "Low Power Mode is \(isLowPowerModeOn ? "on, so it waits" : "off")"
        return NotificationVerdict(.lowPowerMode, passes: !isLowPowerModeOn, explanation: reason)
    }

    private var reportGate: NotificationVerdict? {
        missedCalls.map { IncomingPushDuty.gate(for: app, after: $0) }
    }

    private var budgetGate: NotificationVerdict? {
        let consequence = mode == .remoteNotification ? "waits" : "is dropped"
        return budget?.gate(after: launches, of: app, otherwise: consequence, at: now)
    }
}

extension BudgetRule {
    /// Returns the budget of an app for launches in the background; `nil` for none.
    static func background(of app: AppDescription) -> Self? {
        let subject = "launches in the background"
        if let budget = app.budgets?.background { return Self(budget, named: "background", for: subject) }
        guard let rule = PushType.background.contract?.budget, let budget = rule.value else { return nil }
        return Self(budget, rule.evidence, for: subject)
    }

    /// Returns the budget of an app for service updates of push to talk with priority 10.
    ///
    /// That one above the budget is dropped is a rule of Waypost.
    static func serviceUpdate(of app: AppDescription) -> Self {
        let subject = "service updates with priority 10"
        if let budget = app.budgets?.serviceUpdate { return Self(budget, named: "serviceUpdate", for: subject) }
        let rule = PushTypeContract.serviceUpdateBudget
        return Self(rule.value, rule.evidence, for: subject)
    }
}

/// The background launches of an app, and the notification that waits for the next one.
struct BackgroundLaunches: Sendable, Codable {
    /// A notification that waits.
    struct WaitingNotification: Sendable, Codable {
        /// The notification as the app receives it, even if the user dismisses it before.
        let response: NotificationResponse

        /// The push type; `nil` for `alert`.
        let pushType: PushType?

        /// The time at which the budget allows the launch; `nil` if it waits for something else.
        let until: Timestamp?
    }

    /// The launches that count against the budget.
    var counted = CountedPushes()

    /// The notification that waits; a newer one replaces it.
    var held: WaitingNotification?
}
