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

    /// Creates the value from its parts.
    public init(
        presentation: Presentation,
        sound: NotificationSound? = nil,
        badge: Int? = nil,
        gates: [NotificationVerdict],
        explanation: String
    ) {
        self.presentation = presentation
        self.sound = sound
        self.badge = badge
        self.gates = gates
        self.explanation = explanation
    }
}

/// A condition on the way from a payload to the screen, the speaker and the icon.
public enum NotificationGate: String, StringChoice {
    /// The payload has something for the user.
    case content

    /// The app may send notifications.
    case authorization

    /// The payload has an alert, and alerts of the app are on.
    case alert

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
