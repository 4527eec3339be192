package import WaypostSchema

/// The settings of a fleet.
package struct FleetSettings: Sendable {
    /// The number of devices.
    package var devices: Int

    /// The number of devices that share a credential and a stream.
    package var devicesPerCredential = 1

    /// The behavior.
    package var behavior = FleetBehavior()

    /// The topics for which the devices are registered besides those of their apps.
    package var topics: [Topic] = []

    /// The seed of everything that varies.
    package var seed = 1

    /// The number of devices whose events are recorded.
    package var recordedDeviceCount = 0

    /// The number of credentials, each with a stream.
    package var credentials: Int {
        (devices + devicesPerCredential - 1) / devicesPerCredential
    }

    /// Creates settings with the defaults.
    ///
    /// - Parameter devices: the number of devices.
    package init(devices: Int) {
        self.devices = devices
    }
}
