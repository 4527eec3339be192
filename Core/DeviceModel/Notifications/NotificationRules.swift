internal import PredicateFormat
internal import WaypostSchema

/// The rules for what a device does with a notification, as a value.
///
/// The keys and levels are those of "Generating a remote notification" and `UNNotificationInterruptionLevel`; the order of
/// the gates, and what Apple's documentation leaves open, is ours (docs/notifications.md).
struct NotificationRules {
    /// The part of the payload that the device reads.
    let content: NotificationContent

    /// The app.
    let app: BundleIdentifier

    /// The user's settings for the app.
    let settings: NotificationSettings

    /// The Focus that is on; `nil` for none.
    let focus: Focus?

    /// The decision, with the verdict of every gate.
    var decision: NotificationDecision {
        let first = [contentGate, authorization]
        guard first.allSatisfy({ $0.status == .pass }) else {
            let reached = first.prefix { $0.status == .pass }.count + 1
            let gates = first.prefix(reached) + NotificationGate.allCases.dropFirst(reached).map(Self.notReached)
            return NotificationDecision(
                presentation: .nowhere,
                gates: Array(gates),
                explanation: first[reached - 1].explanation
            )
        }
        let shown = [alert, focusGate, filter, level, summary]
        let (sound, badge) = (soundGate(after: shown), badgeGate)
        let (presentation, explanation) = place(after: shown)
        return NotificationDecision(
            presentation: presentation,
            sound: sound.status == .pass ? self.sound : nil,
            badge: badge.status == .pass ? content.badge : nil,
            gates: first + shown + [sound, badge],
            explanation: explanation
        )
    }

    private var isProvisional: Bool {
        settings.authorizationStatus == .provisional
    }

    /// Whether the notification is a critical alert that the user allows, which nothing silences.
    private var isCritical: Bool {
        settings.criticalAlertSetting && !isProvisional
            && (content.interruptionLevel == .critical || content.sound?.isCritical == true)
    }

    /// The sound; a critical alert without one has that of the system.
    private var sound: NotificationSound? {
        content.sound ?? (isCritical ? NotificationSound(name: "default", isCritical: true) : nil)
    }

    /// Whether the user lets the notification interrupt as a time-sensitive one.
    private var isTimeSensitive: Bool {
        content.interruptionLevel == .timeSensitive && settings.timeSensitiveSetting
    }

    /// Returns the place of the notification, and the reason: the gate that takes the most away decides.
    private func place(after shown: [NotificationVerdict]) -> (NotificationDecision.Presentation, String) {
        func failure(_ gates: NotificationGate...) -> NotificationVerdict? {
            shown.first { $0.status == .fail && gates.contains($0.gate) }
        }
        if let alert = failure(.alert) { return (.nowhere, alert.explanation) }
        if isProvisional { return (.list, "\(app) may deliver quietly, so the notification is in the list only") }
        if let summary = failure(.summary) { return (.summary, summary.explanation) }
        if let stop = failure(.focus, .filter, .level) { return (.list, stop.explanation) }
        return (.immediate, "it appears at once")
    }

    private static func notReached(_ gate: NotificationGate) -> NotificationVerdict {
        NotificationVerdict(gate: gate, status: .notReached, explanation: "an earlier gate failed")
    }

    private static func verdict(_ gate: NotificationGate, _ passes: Bool, _ explanation: String) -> NotificationVerdict
    {
        NotificationVerdict(gate: gate, status: passes ? .pass : .fail, explanation: explanation)
    }
}

// MARK: The gates

extension NotificationRules {
    private var contentGate: NotificationVerdict {
        let parts = [
            content.hasAlert ? "an alert" : nil, content.sound == nil ? nil : "a sound",
            content.badge == nil ? nil : "a badge",
        ].compactMap(\.self)
        guard !parts.isEmpty else {
            return Self.verdict(.content, false, "the payload has no alert, sound or badge")
        }
        return Self.verdict(.content, true, "the payload has \(parts.joined(separator: ", "))")
    }

    private var authorization: NotificationVerdict {
        let status = settings.authorizationStatus
        let reason =
            switch status {
            case .notDetermined: "\(app) has not asked whether it may send notifications"
            case .denied: "the user does not allow notifications of \(app)"
            case .provisional: "\(app) may deliver quietly"
            case .authorized: "the user allows notifications of \(app)"
            }
        return Self.verdict(.authorization, status == .provisional || status == .authorized, reason)
    }

    private var alert: NotificationVerdict {
        guard content.hasAlert else { return Self.verdict(.alert, false, "the payload has no alert") }
        let isOn = settings.alertSetting
        return Self.verdict(.alert, isOn, "alerts of \(app) are \(isOn ? "on" : "off")")
    }

    private var focusGate: NotificationVerdict {
        guard let focus else { return Self.verdict(.focus, true, "no Focus is on") }
        if focus.allowedApps.contains(app) {
            return Self.verdict(.focus, true, "the Focus \(focus.name) allows \(app)")
        }
        if isCritical { return Self.verdict(.focus, true, "no Focus silences a critical alert") }
        if isTimeSensitive, focus.allowsTimeSensitive {
            return Self.verdict(.focus, true, "the Focus \(focus.name) allows time-sensitive notifications")
        }
        return Self.verdict(.focus, false, "the Focus \(focus.name) silences \(app)")
    }

    private var filter: NotificationVerdict {
        guard let focus, let format = focus.notificationFilters?[app.rawValue] else {
            return Self.verdict(.filter, true, "\(app) has no filter for a Focus that is on")
        }
        guard let criteria = content.filterCriteria else {
            return Self.verdict(.filter, true, "the payload has no filter-criteria")
        }
        if isCritical { return Self.verdict(.filter, true, "no filter holds a critical alert back") }
        let name = "the filter '\(Self.excerpt(format))'"
        do throws(ContentPredicateError) {
            let isAccepted = try ContentPredicate(format: format).evaluate(with: criteria)
            let verb = isAccepted ? "accepts" : "does not accept"
            return Self.verdict(.filter, isAccepted, "\(name) \(verb) '\(Self.excerpt(criteria))'")
        } catch {
            return Self.verdict(.filter, true, "\(name) cannot be evaluated: \(error)")
        }
    }

    /// Returns the beginning of a text: an explanation is kept with each notification.
    private static func excerpt(_ text: String) -> String {
        text.utf8.count > 200 ? text.prefix(200) + "…" : text
    }

    private var level: NotificationVerdict {
        let level = content.interruptionLevel
        let isRefused = level == .timeSensitive && !isTimeSensitive || level == .critical && !isCritical
        let notAllowed = isRefused ? ", which the user does not allow, so it counts as active" : ""
        let isEnough = level != .passive || isCritical
        return Self.verdict(.level, isEnough, "the level is \(level.rawValue)\(notAllowed)")
    }

    private var summary: NotificationVerdict {
        guard settings.scheduledDeliverySetting else {
            return Self.verdict(.summary, true, "notifications of \(app) do not wait for the summary")
        }
        let isUrgent = isTimeSensitive || isCritical
        let reason = isUrgent ? "does not wait for the summary" : "waits for the summary"
        return Self.verdict(.summary, isUrgent, "a notification of the level \(effectiveLevel) \(reason)")
    }

    private var effectiveLevel: String {
        isTimeSensitive || isCritical || content.interruptionLevel == .passive
            ? content.interruptionLevel.rawValue : InterruptionLevel.active.rawValue
    }

    private func soundGate(after shown: [NotificationVerdict]) -> NotificationVerdict {
        guard let sound else { return Self.verdict(.sound, false, "the payload has no sound") }
        if isProvisional { return Self.verdict(.sound, false, "\(app) may deliver only quietly") }
        if isCritical {
            return Self.verdict(.sound, true, "a critical alert plays '\(sound.name)' even if the device is muted")
        }
        if !settings.soundSetting { return Self.verdict(.sound, false, "sounds of \(app) are off") }
        // Without an alert, the sound is all that there is.
        if let stop = shown.first(where: { $0.status == .fail && $0.gate != .alert }) {
            return Self.verdict(.sound, false, "it does not interrupt: \(stop.explanation)")
        }
        return Self.verdict(.sound, true, "it plays '\(sound.name)'")
    }

    private var badgeGate: NotificationVerdict {
        guard let badge = content.badge else { return Self.verdict(.badge, false, "the payload has no badge") }
        guard settings.badgeSetting else { return Self.verdict(.badge, false, "badges of \(app) are off") }
        return Self.verdict(.badge, true, badge == 0 ? "the badge is removed" : "the badge is \(badge)")
    }
}
