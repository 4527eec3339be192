package import WaypostSchema

extension DeviceEffect {
    /// The reason for which the device did not do what an event says; `nil` if the effect is another one.
    package var refusal: IgnoredEvent? {
        switch self {
        case .system(.eventIgnored(let ignored)): ignored
        case .scene(.nothingToOpen(let id)):
            IgnoredEvent(reason: .unknownNotification, explanation: "there is no notification \(id)")
        default: nil
        }
    }
}
