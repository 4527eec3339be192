internal import DeviceModel
internal import WaypostSchema

/// What a gateway has to know of a device to send it the right notifications at the right time.
struct GatewayNotice: Sendable, Equatable {
    /// The topics that the device takes notifications for.
    let topics: [Topic]

    /// Whether power is short, so that notifications of priority 5 and 1 are to wait.
    let isLowPowerModeEnabled: Bool

    init(_ device: DeviceModel) {
        topics = device.topics
        isLowPowerModeEnabled = device.isLowPowerModeEnabled
    }
}
