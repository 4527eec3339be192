/// The reaction of a device to a notification, with the reasons.
public struct NotificationDecision: Codable, Sendable, Equatable {
    /// The places in which a notification appears.
    public enum Presentation: String, StringChoice {
        /// It appears at once, on the Lock Screen or as a banner, and then in the list.
        case immediate

        /// It appears in the list only.
        case list

        /// It waits for the scheduled summary.
        case summary

        /// It waits for the app's service extension.
        case pending

        /// It does not appear.
        case nowhere
    }

    /// The place.
    public var presentation: Presentation

    /// The sound that the device plays; absent for none.
    public var sound: NotificationSound?

    /// The number that the app's icon gets, 0 for none; absent if the badge does not change.
    public var badge: Int?

    /// The verdict of each gate, in their order.
    public var gates: [NotificationVerdict]

    /// A human-readable sentence.
    public var explanation: String

    /// A human-readable sentence about the group, or the place in the summary; absent if it does not appear.
    public var grouping: String?

    /// Whether the notification started the app, and why; absent if its payload does not ask for that.
    public var launch: LaunchDecision?

    /// The change of a Live Activity, and why; absent for other push types.
    public var liveActivity: LiveActivityDecision?

    /// Creates the value from its parts.
    public init(
        presentation: Presentation,
        sound: NotificationSound? = nil,
        badge: Int? = nil,
        gates: [NotificationVerdict],
        explanation: String,
        grouping: String? = nil,
        launch: LaunchDecision? = nil,
        liveActivity: LiveActivityDecision? = nil
    ) {
        self.grouping = grouping
        self.launch = launch
        self.liveActivity = liveActivity
        self.presentation = presentation
        self.sound = sound
        self.badge = badge
        self.gates = gates
        self.explanation = explanation
    }
}

/// The decision whether a notification starts its app in the background, with the reasons.
public struct LaunchDecision: Codable, Sendable, Equatable {
    /// The outcomes.
    public enum Outcome: String, StringChoice {
        /// The app was started, or called in the background.
        case launched

        /// The app was in the foreground, and was called there.
        case delivered

        /// It waits, and a newer one replaces it.
        case held

        /// The app does not receive it.
        case dropped
    }

    /// The outcome.
    public var outcome: Outcome

    /// The verdict of each gate, in their order.
    public var gates: [NotificationVerdict]

    /// A human-readable sentence.
    public var explanation: String

    /// The result that the app gave; absent if it has not finished, or did not do so in time.
    public var fetchResult: AppCallResult.FetchResult?

    /// Creates the value from its parts.
    public init(outcome: Outcome, gates: [NotificationVerdict], explanation: String) {
        self.outcome = outcome
        self.gates = gates
        self.explanation = explanation
    }
}

/// The decision about a notification for a Live Activity, with the reasons.
public struct LiveActivityDecision: Codable, Sendable, Equatable {
    /// The outcomes.
    public enum Outcome: String, StringChoice {
        /// A Live Activity was started.
        case started

        /// The content of a Live Activity changed.
        case updated

        /// A Live Activity was ended.
        case ended

        /// Nothing changed.
        case ignored
    }

    /// The outcome.
    public var outcome: Outcome

    /// The Live Activity, named by the notification that started it; absent if nothing changed.
    public var activity: NotificationID?

    /// The verdict of each gate, in their order.
    public var gates: [NotificationVerdict]

    /// A human-readable sentence.
    public var explanation: String

    /// Creates the value from its parts.
    public init(
        outcome: Outcome,
        activity: NotificationID? = nil,
        gates: [NotificationVerdict],
        explanation: String
    ) {
        self.outcome = outcome
        self.activity = activity
        self.gates = gates
        self.explanation = explanation
    }
}

/// A condition on the way from a payload to the screen, the speaker, the icon, the app or its Live Activity.
public enum NotificationGate: String, StringChoice {
    /// The payload has something for the user.
    case content

    /// The app may send notifications.
    case authorization

    /// The app's service extension is not needed, or has finished.
    case serviceExtension

    /// The payload has an alert, and alerts of the app are on.
    case alert

    /// The app is not in the foreground, or presents the notification there.
    case foreground

    /// No Focus silences the app.
    case focus

    /// The filter of the app for the Focus accepts the notification.
    case filter

    /// The notification is important enough to interrupt.
    case level

    /// The notification need not wait for the summary.
    case summary

    /// The payload has a sound, and it may be played.
    case sound

    /// The payload has a badge, and badges of the app are on.
    case badge

    /// The app has the background mode for the push.
    case backgroundMode

    /// The user did not force the app to quit.
    case forceQuit

    /// Background App Refresh is on for the app.
    case backgroundRefresh

    /// Low Power Mode is off.
    case lowPowerMode

    /// The app was not started too often in the last hour.
    case budget

    /// The payload has a known `event`, and what it needs.
    case event

    /// There is a Live Activity to change, or room for another one.
    case activity

    /// The payload is not older than the last one.
    case timestamp
}

/// The verdict of one gate on a notification.
public struct NotificationVerdict: Codable, Sendable, Equatable {
    /// The gate.
    public var gate: NotificationGate

    /// The status.
    public var status: GateVerdict.Status

    /// A human-readable reason.
    public var explanation: String

    /// Creates the value from its parts.
    public init(gate: NotificationGate, status: GateVerdict.Status, explanation: String) {
        self.gate = gate
        self.status = status
        self.explanation = explanation
    }
}
