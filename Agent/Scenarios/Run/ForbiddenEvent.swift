internal import WaypostSchema

/// Something that must not happen, with the step that says so.
struct ForbiddenEvent: Sendable {
    var step: Step
    var device: String
    var app: BundleIdentifier?
    var never: ExpectedNever

    /// The number of journal entries at the step.
    var after: Int
}
