/// The reaction of a device to a notification, with the reasons.
public struct NotificationDecision: Codable, Sendable, Equatable {
    /// The places in which a notification appears.
    public enum Presentation: String, StringEnum {
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

    /// The unusual things in the payload; absent if there are none.
    public var findings: [NotificationFinding]?

    /// Creates the value from its parts.
    public init(
        presentation: Presentation,
        sound: NotificationSound? = nil,
        badge: Int? = nil,
        gates: [NotificationVerdict],
        explanation: String,
        grouping: String? = nil,
        launch: LaunchDecision? = nil,
        liveActivity: LiveActivityDecision? = nil,
        findings: [NotificationFinding]? = nil
    ) {
        self.grouping = grouping
        self.launch = launch
        self.liveActivity = liveActivity
        self.findings = findings
        self.presentation = presentation
        self.sound = sound
        self.badge = badge
        self.gates = gates
        self.explanation = explanation
    }
}
