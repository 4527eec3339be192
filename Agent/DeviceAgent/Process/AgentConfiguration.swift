package import AssociationFetching
package import WaypostSchema

/// The configuration of an agent.
package struct AgentConfiguration: Sendable {
    /// The device.
    package var device: DeviceDescription

    /// The base URL of the gateway's service listener.
    package var service: String

    /// The base URL of the gateway's courier listener, or `nil` to ask the gateway.
    package var courier: String?

    /// The gateway's administrative token, if the gateway requires it to register devices.
    package var adminToken: String?

    /// The address of the control API.
    package var control = AgentAddress.standard

    /// The address of the app API.
    package var apps = AgentAddress.standard

    /// The replacements for domains during development, by domain.
    package var developmentAssociations: [String: AssociationLocation] = [:]

    /// The settings for fetching association files.
    package var associationFetching = AssociationFetcher.Configuration()

    /// The folder in which the device is stored, or `nil` to store nothing.
    package var data: String?

    /// The path of the ready file, or `nil` for none.
    package var readyFile: String?

    /// Creates a configuration.
    package init(device: DeviceDescription, service: String, courier: String? = nil) {
        self.device = device
        self.service = service
        self.courier = courier
    }
}
