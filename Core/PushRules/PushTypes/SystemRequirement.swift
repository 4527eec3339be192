package import WaypostSchema

/// A part of pushes that only devices with a new enough system have.
package enum SystemRequirement: CaseIterable, Sendable {
    /// The start of a Live Activity by a push.
    case liveActivityStart

    /// The key with which a start asks for the token of its Live Activity.
    case inputPushToken

    /// The key with which the Live Activity of a start listens to a channel.
    case inputPushChannel

    /// Pushes that reload a control.
    case controls

    /// Pushes that reload widgets.
    case widgets

    /// The system says whether the app must report a call for a VoIP push.
    case mustReport

    /// The first version of iOS that has it.
    package var version: Rule<SystemVersion> {
        switch self {
        case .liveActivityStart: Rule("17.2", PushTypeContract.liveActivities)
        case .inputPushToken: Rule("18", PushTypeContract.liveActivities)
        case .inputPushChannel:
            Rule("18", PushTypeContract.liveActivities, .observed(2, "jchambers/pushy 1081, 1106"))
        case .controls: Rule("18", PushTypeContract.controlPushes)
        case .widgets: Rule("26", PushTypeContract.widgetPushes)
        case .mustReport: Rule("26.4", .documented("PKPushRegistryDelegate, the method with metadata"))
        }
    }

    /// Returns whether a device has it.
    package func isMet(by system: SystemVersion) -> Bool {
        system.isAtLeast(version.value)
    }

    /// Returns a sentence about a device, with the source of the version if the device is too old.
    package func sentence(for system: SystemVersion) -> String {
        let comparison = "\(subject) needs iOS \(version.value); this device has iOS \(system)"
        let sources = version.evidence.map { "\($0)" }.joined(separator: "; ")
        return isMet(by: system) ? comparison : "\(comparison) (\(sources))"
    }

    private var subject: String {
        switch self {
        case .liveActivityStart: "a start by a push"
        case .inputPushToken: "input-push-token"
        case .inputPushChannel: "input-push-channel"
        case .controls: "a push for controls"
        case .widgets: "a push for widgets"
        case .mustReport: "a VoIP push without a call"
        }
    }
}
