internal import PushRules
package import WaypostSchema

/// The environments to which the tokens of a device and of its apps belong.
package struct DeviceEnvironments: Codable, Sendable, Hashable {
    /// The environment of the device; `nil` if it accepts requests of both.
    package var device: PushEnvironment?

    /// The environments of apps that have another one, by bundle identifier.
    package var apps: [String: PushEnvironment]

    /// Creates the value from its parts.
    package init(device: PushEnvironment? = nil, apps: [String: PushEnvironment] = [:]) {
        self.device = device
        self.apps = apps
    }

    /// Returns the environment of a topic of the device, with or without a suffix; `nil` if it accepts both.
    package func environment(of topic: Topic) -> PushEnvironment? {
        guard !apps.isEmpty else { return device }
        return apps[topic.rawValue] ?? topic.split.flatMap { apps[$0.base.rawValue] } ?? device
    }
}

/// The encoding of a device's environments in a store: JSON, or `nil` if there are none.
package enum StoredEnvironments {
    /// Returns the environments as they are stored.
    package static func encode(_ environments: DeviceEnvironments) -> String? {
        environments == DeviceEnvironments() ? nil : StoredJSON.encode(environments)
    }

    /// Returns the environments that are stored as `json`.
    package static func decode(_ json: String?) throws -> DeviceEnvironments {
        try StoredJSON.decode(json) ?? DeviceEnvironments()
    }
}
