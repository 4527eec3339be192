package import AssociationFetching
package import LocalService
internal import UniversalLinks
package import WaypostSchema

/// The configuration of an agent.
package struct AgentConfiguration: Sendable {
    /// The devices that the agent starts with, in addition to the stored ones.
    package var devices: [ConfiguredDevice]

    /// The base URL of the gateway's service listener.
    package var service: String

    /// The base URL of the gateway's courier listener, or `nil` to ask the gateway.
    package var courier: String?

    /// Returns the gateway's administrative token as it is now, if the gateway requires it to register devices.
    package var adminToken: @Sendable () -> String? = { nil }

    /// The gateway's namespace in which the devices are registered; `nil` for its standard one.
    package var namespace: Namespace?

    /// The time within which a gateway must answer after the start; `nil` to wait for ever.
    package var connectTimeout: Duration?

    /// Whether the agent's manual clock follows that of the gateway's namespace.
    package var followsGatewayClock = false

    /// The address of the control API.
    package var control = AgentAddress.standard

    /// The address of the app API.
    package var apps = AgentAddress.standard

    /// The hosts by which clients may call both APIs.
    package var allowedHosts = AllowedHosts()

    /// The token that callers of the control API must send, if they need one.
    package var controlToken = ControlTokenChoice.none

    /// The settings for fetching association files.
    package var associationFetching = AssociationFetcher.Configuration()

    /// The folder in which the devices are stored, or `nil` to store nothing.
    package var data: String?

    /// The path of the ready file, or `nil` for none.
    package var readyFile: String?

    /// Creates a configuration.
    package init(devices: [ConfiguredDevice], service: String, courier: String? = nil) {
        self.devices = devices
        self.service = service
        self.courier = courier
    }
}

/// The choice of the token that callers of the control API must send.
package enum ControlTokenChoice: Sendable, Equatable {
    /// None: every process of this machine may call.
    case none

    /// A random token, which the ready file contains.
    case random

    /// This token, which the user chose.
    case fixed(String)
}

/// The description of a device, with the locations of its association files during development.
package struct ConfiguredDevice: Sendable {
    /// The description.
    package var description: DeviceDescription

    /// The replacements for domains during development, by domain.
    package var developmentAssociations: [String: AssociationLocation]

    /// Creates the value from its parts.
    package init(_ description: DeviceDescription, developmentAssociations: [String: AssociationLocation] = [:]) {
        self.description = description
        self.developmentAssociations = developmentAssociations
    }

    /// Creates the value from a description in a file.
    ///
    /// - Parameters:
    ///   - description: the description.
    ///   - file: the path to which paths in the description are relative; if empty, they are relative to the working
    ///     directory.
    /// - Throws: `DevelopmentAssociationError` if a URL in it cannot be used.
    package init(_ description: DeviceDescription, relativeTo file: String) throws(DevelopmentAssociationError) {
        self.init(description)
        for (domain, replacement) in description.associatedDomainsDevelopment ?? [:] {
            do throws(DevelopmentServerError) {
                let request = AssociationRequest(domain: domain, isDevelopment: true)
                let location = try AssociationLocation(replacement: replacement, relativeTo: file)
                developmentAssociations[request.domain] = location
            } catch {
                throw DevelopmentAssociationError(domain: domain, reason: error)
            }
        }
    }
}

/// The replacement for a domain in a device description cannot be used.
package struct DevelopmentAssociationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The domain.
    package let domain: String

    let reason: DevelopmentServerError

    /// The path of the key in the description.
    var key: String {
        "associatedDomainsDevelopment.\(domain)"
    }

    /// A description of the error, with the key.
    package var description: String {
        "\(key): \(reason)"
    }
}
