package import SchemaFiles
internal import WaypostSchema

/// A test of devices, apps and a gateway: steps, and what is expected after them.
package struct Scenario: Sendable {
    /// The name, with the values of the matrix.
    package var name: String

    /// The path of the file.
    package var file: String

    /// The paths of all files from which the scenario was read.
    package var sources: Set<String> = []

    /// The tags.
    package var tags: [String] = []

    /// The seed of generated identifiers.
    var seed = 1

    /// The time at which the virtual clock starts, or `nil` for the default.
    var start: Timestamp?

    /// How the gateway stores notifications, by topic.
    var storage: [Topic: StorageMode] = [:]

    /// The devices, in the order of the file.
    var devices: [ScenarioDevice] = []

    /// The steps, in order.
    package var steps: [Step] = []

    /// The names of the devices, in order.
    var deviceNames: [String] {
        devices.flatMap(\.names)
    }

    /// Returns the names of the devices that a name in a step stands for: one device, or all of a group.
    func deviceNames(for name: String) -> [String] {
        devices.first { $0.key == name }?.names ?? [name]
    }

    /// Whether a step kills or restarts the gateway, so that its store must be on the disk.
    var stopsGateway: Bool {
        steps.contains { $0.action == .kill("gateway") || $0.action == .restart("gateway") }
    }

    /// Whether a step runs a command.
    var runsCommands: Bool {
        steps.contains { if case .run = $0.action { true } else { false } }
    }
}

/// A device of a scenario, or several with the same description.
struct ScenarioDevice: Sendable, Equatable {
    /// The key in the file.
    var key: String

    /// The number of devices, or `nil` for one with the name `key`.
    var count: Int?

    /// The description; its name is a template if there are several.
    var description: DeviceDescription

    /// The choices of the user about sharing, before the first step.
    var consent: [DeviceEvent] = []

    /// The names of the devices.
    var names: [String] {
        guard let count else { return [key] }
        return (1...count).map { "\(key) \($0)" }
    }
}

/// A step of a scenario.
package struct Step: Sendable {
    /// The place of the step.
    package var place: SourcePlace

    /// The name of the step in the file, if any.
    var name: String?

    /// The action, or `nil` if the step only expects something.
    var action: Action?

    /// Probable mistakes with which the step can be performed.
    package var warnings: [FileFinding] = []

    /// The expectation, if any.
    var expectation: Expectation?

    /// The values of the expectation as written, by their keys.
    var expectedValues: [String: JSONValue] = [:]

    /// The scalars of the expectation, by their path, which `--update` replaces.
    var scalars: [String: SchemaReader.SourceScalar] = [:]
}
