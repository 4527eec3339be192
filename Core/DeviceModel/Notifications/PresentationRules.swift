internal import PredicateFormat
internal import TextBasics
internal import WaypostSchema

/// The rules for what a device does with a notification, as a value.
///
/// The keys and levels are those of "Generating a remote notification" and `UNNotificationInterruptionLevel`; the order of
/// the gates, and what Apple's documentation leaves open, is ours (docs/notifications.md).
struct PresentationRules {
    /// The part of the payload that the device reads.
    let content: NotificationContent

    /// The app.
    let app: BundleIdentifier

    /// The user's settings for the app.
    let settings: NotificationSettings

    /// The Focus that is on; `nil` for none.
    let focus: Focus?

    /// The names of the app's sound files; `nil` if every file exists.
    var soundFiles: [String]?

    /// Whether the mute switch of the device is on.
    var isMuted = false

    /// Whether the app has a service extension.
    var hasServiceExtension = false

    /// The state of the app's service extension.
    var serviceExtension = ExtensionState.notNeeded

    /// The sender whom the service extension named; `nil` if this is no communication notification.
    var sender: NotificationSender?

    /// The state of a service extension for a notification.
    enum ExtensionState: String, Codable {
        /// It was not started.
        case notNeeded

        /// It is not started, because the app requested the notification itself.
        case local

        /// It is working.
        case working

        /// It supplied the content.
        case finished

        /// It returned the payload unchanged.
        case unchanged

        /// It returned nothing to show, so the original content is used.
        case empty

        /// It took too long, so the original content is used.
        case expired
    }

    /// The gates for what the user sees and hears, in their order, without that of the foreground.
    private var gates: [NotificationGate] {
        let all: [NotificationGate] = [
            .content, .authorization, .serviceExtension, .alert, .communication, .focus, .filter, .level, .summary,
            .sound, .badge,
        ]
        return asksForSender ? all : all.filter { $0 != .communication }
    }

    /// The decision for an app that is not in the foreground, with the verdict of every gate.
    var decision: NotificationDecision {
        let requiredVerdicts = [contentGate, authorizationGate, extensionGate]
        guard requiredVerdicts.allSatisfy({ $0.status == .pass }) else {
            let rest = gates.dropFirst(requiredVerdicts.count).map(NotificationVerdict.notReached)
            let failure = requiredVerdicts.first { $0.status == .fail }
            return NotificationDecision(
                presentation: failure?.gate == .serviceExtension ? .pending : .nowhere,
                gates: requiredVerdicts.untilFirstFailure + rest,
                explanation: failure?.explanation ?? ""
            )
        }
        let displayVerdicts: [NotificationVerdict] =
            [alertGate] + (asksForSender ? [communicationGate] : []) + [focusGate, filterGate, levelGate, summaryGate]
        let (sound, badge) = (soundGate(after: displayVerdicts), badgeGate)
        let (presentation, explanation) = presentation(after: displayVerdicts)
        return NotificationDecision(
            presentation: presentation,
            sound: sound.status == .pass ? self.sound : nil,
            badge: badge.status == .pass ? content.badge : nil,
            gates: requiredVerdicts + displayVerdicts + [sound, badge],
            explanation: explanation
        )
    }

    private var isProvisional: Bool {
        settings.authorizationStatus == .provisional
    }

    /// Whether the notification is a critical alert that the user allows, which no setting and no Focus silences.
    private var isCritical: Bool {
        settings.criticalAlertSetting && !isProvisional
            && (content.interruptionLevel == .critical || content.sound?.isCritical == true)
    }

    /// The sound; a critical alert without one has that of the system.
    ///
    /// A critical sound that the user does not allow is an ordinary one. If a file is missing, the default sound plays
    /// (`UNNotificationSound`).
    private var sound: NotificationSound? {
        guard var sound = content.sound else {
            return isCritical ? NotificationSound(name: Self.defaultSound, isCritical: true) : nil
        }
        if missingSoundFile != nil { sound.name = Self.defaultSound }
        return isCriticalSoundRefused ? NotificationSound(name: sound.name) : sound
    }

    /// The name of the system's sound in a payload.
    private static let defaultSound = "default"

    /// The sound file that the payload names and the app does not have; `nil` for none.
    private var missingSoundFile: String? {
        guard let name = content.sound?.name, name != Self.defaultSound else { return nil }
        return soundFiles?.contains(name) == false ? name : nil
    }

    /// Whether the payload has a critical sound that the user does not allow.
    private var isCriticalSoundRefused: Bool {
        content.sound?.isCritical == true && !isCritical
    }

    /// Whether the user lets the notification interrupt as a time-sensitive one.
    private var isTimeSensitive: Bool {
        content.interruptionLevel == .timeSensitive && settings.timeSensitiveSetting
    }

    /// Returns the place of the notification, and the reason: the failed gate with the strongest effect decides.
    private func presentation(after verdicts: [NotificationVerdict]) -> (NotificationDecision.Presentation, String) {
        func failure(_ gates: NotificationGate...) -> NotificationVerdict? {
            verdicts.first { $0.status == .fail && gates.contains($0.gate) }
        }
        if let alert = failure(.alert) { return (.nowhere, alert.explanation) }
        if isProvisional { return (.list, "\(app) may deliver quietly, so the notification is in the list only") }
        if let summary = failure(.summary) { return (.summary, summary.explanation) }
        if let silence = failure(.focus, .filter, .level) { return (.list, silence.explanation) }
        return (.immediate, "it appears at once")
    }
}

// MARK: The gates

extension PresentationRules {
    private var contentGate: NotificationVerdict {
        let parts = [
            content.hasAlert ? "an alert" : nil, content.sound == nil ? nil : "a sound",
            content.badge == nil ? nil : "a badge",
        ].compactMap(\.self)
        guard !parts.isEmpty else {
            let reason =
                content.isAlertEmpty
                ? "the alert has no text, and there is no sound or badge" : "the payload has no alert, sound or badge"
            return NotificationVerdict(.content, passes: false, explanation: reason)
        }
        return NotificationVerdict(
            .content,
            passes: true,
            explanation: "the payload has \(parts.joined(separator: ", "))"
        )
    }

    private var authorizationGate: NotificationVerdict {
        let status = settings.authorizationStatus
        let reason =
            switch status {
            case .notDetermined: "\(app) has not asked whether it may send notifications"
            case .denied: "the user does not allow notifications of \(app)"
            case .provisional: "\(app) may deliver quietly"
            case .authorized: "the user allows notifications of \(app)"
            case .ephemeral: "\(app) is an App Clip, which may send notifications for a limited time"
            }
        return NotificationVerdict(.authorization, passes: settings.allowsNotifications, explanation: reason)
    }

    private var extensionGate: NotificationVerdict {
        let reason =
            switch serviceExtension {
            case .notNeeded: reasonWithoutExtension
            case .local: "\(app) requested the notification itself, so no service extension is started"
            case .working: "the service extension of \(app) has not finished"
            case .finished: "the service extension of \(app) supplied the content"
            case .unchanged: "the service extension of \(app) changed nothing"
            case .empty: "the service extension of \(app) returned no alert, so the original content is used"
            case .expired: "the service extension of \(app) took too long, so the original content is used"
            }
        return NotificationVerdict(.serviceExtension, passes: serviceExtension != .working, explanation: reason)
    }

    /// The one reason for which the service extension was not started.
    var reasonWithoutExtension: String {
        if !content.isMutable { return "the payload is not mutable" }
        if !hasServiceExtension { return "\(app) has no service extension" }
        if !content.hasAlert { return "there is no alert that the service extension could change" }
        return "the service extension is not started, because alerts of \(app) are off"
    }

    private var alertGate: NotificationVerdict {
        guard content.hasAlert else {
            let reason = content.isAlertEmpty ? "the alert has no text" : "the payload has no alert"
            return NotificationVerdict(.alert, passes: false, explanation: reason)
        }
        let isOn = settings.alertSetting
        return NotificationVerdict(.alert, passes: isOn, explanation: "alerts of \(app) are \(isOn ? "on" : "off")")
    }

    /// Returns the reason why a Focus lets the notification through for any sender; `nil` if it does not.
    func reasonToPassWithoutSender(_ focus: Focus) -> String? {
        if focus.allowedApps.contains(app) { return "the Focus \(focus.name) allows \(app)" }
        if isCritical { return "no Focus silences a critical alert" }
        let isAllowed = isTimeSensitive && focus.allowsTimeSensitive
        return isAllowed ? "the Focus \(focus.name) allows time-sensitive notifications" : nil
    }

    private var focusGate: NotificationVerdict {
        guard let focus else { return NotificationVerdict(.focus, passes: true, explanation: "no Focus is on") }
        if let reason = reasonToPassWithoutSender(focus) ?? reasonToPassWithSender(focus) {
            return NotificationVerdict(.focus, passes: true, explanation: reason)
        }
        return NotificationVerdict(.focus, passes: false, explanation: "the Focus \(focus.name) silences \(app)")
    }

    private var filterGate: NotificationVerdict {
        guard let focus, let format = focus.notificationFilters?[app.rawValue] else {
            return NotificationVerdict(
                .filter,
                passes: true,
                explanation: "\(app) has no filter for a Focus that is on"
            )
        }
        guard let criteria = content.filterCriteria else {
            return NotificationVerdict(.filter, passes: true, explanation: "the payload has no filter-criteria")
        }
        if isCritical {
            return NotificationVerdict(.filter, passes: true, explanation: "no filter holds a critical alert back")
        }
        let name = "the filter '\(format.safe(for: .excerpt))'"
        do throws(ContentPredicateError) {
            let isAccepted = try ContentPredicate(format: format).evaluate(with: criteria)
            let verb = isAccepted ? "accepts" : "does not accept"
            return NotificationVerdict(
                .filter,
                passes: isAccepted,
                explanation: "\(name) \(verb) '\(criteria.safe(for: .excerpt))'"
            )
        } catch {
            return NotificationVerdict(.filter, passes: true, explanation: "\(name) cannot be evaluated: \(error)")
        }
    }

    private var levelGate: NotificationVerdict {
        let level = content.interruptionLevel
        let isRefused = level == .timeSensitive && !isTimeSensitive || level == .critical && !isCritical
        let notAllowed = isRefused ? ", which the user does not allow, so it counts as active" : ""
        let isEnough = level != .passive || isCritical
        return NotificationVerdict(.level, passes: isEnough, explanation: "the level is \(level.rawValue)\(notAllowed)")
    }

    private var summaryGate: NotificationVerdict {
        guard settings.scheduledDeliverySetting else {
            return NotificationVerdict(
                .summary,
                passes: true,
                explanation: "notifications of \(app) do not wait for the summary"
            )
        }
        let isUrgent = isTimeSensitive || isCritical
        if !isUrgent, sender != nil {
            let reason = "a communication notification does not wait for the summary"
            return NotificationVerdict(.summary, passes: true, explanation: reason)
        }
        let reason = isUrgent ? "does not wait for the summary" : "waits for the summary"
        return NotificationVerdict(
            .summary,
            passes: isUrgent,
            explanation: "a notification of the level \(effectiveLevel) \(reason)"
        )
    }

    private var effectiveLevel: String {
        isTimeSensitive || isCritical || content.interruptionLevel == .passive
            ? content.interruptionLevel.rawValue : InterruptionLevel.active.rawValue
    }

    private func soundGate(after verdicts: [NotificationVerdict]) -> NotificationVerdict {
        guard let sound else {
            return NotificationVerdict(gate: .sound, status: .notReached, explanation: "the payload has no sound")
        }
        if isProvisional {
            return NotificationVerdict(.sound, passes: false, explanation: "\(app) may deliver only quietly")
        }
        if isCritical {
            return NotificationVerdict(
                .sound,
                passes: true,
                explanation: "a critical alert plays '\(sound.name)' even if the device is muted\(missingSoundNote)"
            )
        }
        if !settings.soundSetting {
            return NotificationVerdict(.sound, passes: false, explanation: "sounds of \(app) are off")
        }
        // Without an alert, the sound is all that there is.
        if let stop = verdicts.first(where: { $0.status == .fail && $0.gate != .alert && $0.gate != .communication }) {
            return NotificationVerdict(.sound, passes: false, explanation: "it does not interrupt: \(stop.explanation)")
        }
        if isMuted { return NotificationVerdict(.sound, passes: false, explanation: "the mute switch is on") }
        let limit = isCriticalSoundRefused ? ", not as a critical one, which the user does not allow" : ""
        let reason = "it plays '\(sound.name)'\(limit)\(missingSoundNote)"
        return NotificationVerdict(.sound, passes: true, explanation: reason)
    }

    /// The end of a sentence about the sound: which file is missing, and which one was probably meant.
    private var missingSoundNote: String {
        guard let name = missingSoundFile, let soundFiles else { return "" }
        let nearest = name.nearest(among: soundFiles) ?? soundFiles.first { $0.hasPrefix("\(name).") }
        let suggestion = nearest.map { ", did you mean '\($0.safe(for: .excerpt))'?" } ?? ""
        return "; \(app) has no sound file '\(name.safe(for: .excerpt))'\(suggestion)"
    }

    private var badgeGate: NotificationVerdict {
        guard let badge = content.badge else {
            return NotificationVerdict(gate: .badge, status: .notReached, explanation: "the payload has no badge")
        }
        guard settings.badgeSetting else {
            return NotificationVerdict(.badge, passes: false, explanation: "badges of \(app) are off")
        }
        return NotificationVerdict(
            .badge,
            passes: true,
            explanation: badge == 0 ? "the badge is removed" : "the badge is \(badge)"
        )
    }
}

extension NotificationSettings {
    /// Whether the app may send notifications at all.
    var allowsNotifications: Bool {
        authorizationStatus != .notDetermined && authorizationStatus != .denied
    }
}

extension [NotificationVerdict] {
    /// The verdicts up to the first failure; the gates after it are not reached.
    var untilFirstFailure: Self {
        let reached = prefix { $0.status == .pass }.count + 1
        return prefix(reached) + dropFirst(reached).map { .notReached($0.gate) }
    }
}

extension NotificationVerdict {
    /// Creates the verdict of a gate that was evaluated.
    init(_ gate: NotificationGate, passes: Bool, explanation: String) {
        self.init(gate: gate, status: passes ? .pass : .fail, explanation: explanation)
    }

    /// Returns the verdict of a gate after one that failed.
    static func notReached(_ gate: NotificationGate) -> Self {
        Self(gate: gate, status: .notReached, explanation: "an earlier gate failed")
    }
}
