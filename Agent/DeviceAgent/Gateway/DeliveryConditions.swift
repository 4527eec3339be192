internal import DeviceModel
internal import WaypostSchema

/// The facts about a device that a gateway needs to send it the right notifications at the right time.
struct DeliveryConditions: Sendable, Equatable {
    /// The topics for which the device accepts notifications.
    let topics: [Topic]

    /// Whether power is low, so that notifications of priority 5 and 1 must wait.
    let isLowPowerModeEnabled: Bool

    init(_ device: DeviceModel) {
        topics = device.topics
        isLowPowerModeEnabled = device.isLowPowerModeEnabled
    }
}
