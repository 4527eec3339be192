internal import PushRules
internal import WaypostSchema

extension NotificationVerdict {
    /// Returns the verdict about the version of a device's system.
    static func system(_ requirement: SystemRequirement, on system: SystemVersion) -> Self {
        Self(.system, passes: requirement.isMet(by: system), explanation: requirement.sentence(for: system))
    }
}

extension PushReceiver {
    /// The system that its pushes need; `nil` if no version is documented.
    var systemRequirement: SystemRequirement? {
        switch self {
        case .controls: .controls
        case .widgets: .widgets
        case .location, .fileProvider, .complication: nil
        }
    }
}
