internal import WaypostSchema

/// Something that must not happen, with the step that forbids it.
struct ForbiddenEvent: Sendable {
    var step: Step
    var device: String
    var app: BundleIdentifier?
    /// The event that must not happen.
    var criteria: EventCriteria

    /// The number of journal entries at the step.
    var journalLengthAtStep: Int
}
