internal import DeviceModel
internal import WaypostSchema

/// The facts about a device that a gateway needs to send it the right notifications at the right time.
struct DeliveryConditions: Sendable, Equatable {
    /// The topics for which the device accepts notifications.
    let topics: [Topic]

    /// Whether power is low, so that notifications of priority 5 and 1 must wait.
    let isLowPowerModeEnabled: Bool

    /// The environment of the device's tokens; `nil` for both.
    let environment: PushEnvironment?

    /// The environments of apps that have another one, by bundle identifier.
    let appEnvironments: [String: PushEnvironment]

    init(_ device: DeviceModel) {
        topics = device.topics
        environment = device.environment
        appEnvironments = device.appEnvironments
        isLowPowerModeEnabled = device.isLowPowerModeEnabled
    }
}
