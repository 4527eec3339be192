package import AssociationFetching
package import WaypostSchema

/// How an agent is run.
package struct AgentConfiguration: Sendable {
    /// The device.
    package var device: DeviceDescription

    /// The base URL of the gateway's service listener.
    package var service: String

    /// The base URL of the gateway's courier listener; the gateway is asked where it is not said.
    package var courier: String?

    /// The gateway's administrative token, where the gateway wants it from those who register devices.
    package var adminToken: String?

    /// Where the control API listens.
    package var control = AgentAddress.standard

    /// Where the app API listens.
    package var apps = AgentAddress.standard

    /// What stands in for a domain while apps are developed, by domain.
    package var developmentAssociations: [String: AssociationLocation] = [:]

    /// How association files are fetched.
    package var associationFetching = AssociationFetcher.Configuration()

    /// The folder that the device is kept in; nothing survives the process where there is none.
    package var data: String?

    /// Where to write the ready file, if anywhere.
    package var readyFile: String?

    /// Creates a configuration.
    package init(device: DeviceDescription, service: String, courier: String? = nil) {
        self.device = device
        self.service = service
        self.courier = courier
    }
}
