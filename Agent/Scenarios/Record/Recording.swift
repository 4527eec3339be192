internal import DeviceModel
internal import SchemaFiles
package import WaypostSchema

/// A recording of devices: their journals, as a scenario.
package struct Recording: Sendable {
    /// The journal of a device.
    package struct Journal: Sendable {
        let device: String
        let entries: [JournalEntry]

        /// The number of entries before the recording.
        let earlierEntryCount: Int

        /// Creates the value from its parts.
        package init(device: String, entries: [JournalEntry], earlierEntryCount: Int) {
            self.device = device
            self.entries = entries
            self.earlierEntryCount = earlierEntryCount
        }
    }

    private let journals: [Journal]

    /// Creates a recording of the journals of devices.
    package init(_ journals: [Journal]) {
        self.journals = journals
    }

    /// A step of a recording.
    private struct RecordedStep {
        var time: Timestamp
        var device: String
        var isBeforeRecording: Bool
        var members: [(String, JSONValue)]
    }

    /// The minimum pause that becomes a step, in milliseconds.
    private static let minimumPause = 60_000

    /// Returns the recording as the text of a scenario with a name.
    ///
    /// Everything that happened to the devices before the recording is part of it, so that they are in the same state.
    package func scenario(named name: String) -> String {
        let devices = Dictionary(
            journals.map { ($0.device, Self.description(in: $0)) },
            uniquingKeysWith: { first, _ in first }
        )
        let steps = journals.flatMap(steps)
            .enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        let members: [(String, JSONValue)] = [("name", .string(name)), ("devices", .object(devices))]
        var text = YAMLText.document(members.map { ($0.0, $0.1.withoutVariables) })
        text += steps.isEmpty ? "steps: []\n" : "steps:\n"
        var last: RecordedStep?
        for step in steps {
            if let last, last.isBeforeRecording, !step.isBeforeRecording { text += "  # The recording begins here.\n" }
            let pause = last.map { step.time.rawValue - $0.time.rawValue } ?? 0
            if pause >= Self.minimumPause {
                let seconds = pause / 1_000 * 1_000
                text += YAMLText.element([("advance", .string(DurationText.text(seconds)))], indent: 2) + "\n"
            }
            text += YAMLText.element(step.members.map { ($0.0, $0.1.withoutVariables) }, indent: 2) + "\n"
            last = step
        }
        return text
    }

    /// Returns the description of a device at the start of its journal, without default values.
    private static func description(in journal: Journal) -> JSONValue {
        var description = DeviceDescription(name: journal.device, apps: [])
        if case .system(.deviceDescribed(let first))? = journal.entries.first?.event { description = first }
        var members = JSONValue(encoding: description).members
        let defaults = JSONValue(encoding: DeviceDescription(name: journal.device, apps: [])).members
        for (name, value) in members where name != "apps" && defaults[name] == value { members[name] = nil }
        members["name"] = nil
        // The association files that the device got are steps, so that the scenario needs no other files.
        if members["associatedDomainsDevelopment"] != nil { members["associatedDomainsDevelopment"] = .object([:]) }
        members["apps"] = .array(description.apps.map(\.withoutDefaults))
        return .object(members)
    }

    private func steps(of journal: Journal) -> [RecordedStep] {
        var writer = StepWriter(device: journal.device, recordedDevices: journals.map(\.device))
        var model = DeviceModel()
        var steps: [RecordedStep] = []
        for (index, entry) in journal.entries.enumerated() {
            let effects = model.apply(entry.event, at: entry.at).effects
            // The first entry describes the device.
            guard index > 0 else { continue }
            for members in writer.steps(for: entry.event, effects) {
                let isBeforeRecording = index < journal.earlierEntryCount
                steps.append(
                    RecordedStep(
                        time: entry.at,
                        device: journal.device,
                        isBeforeRecording: isBeforeRecording,
                        members: members
                    )
                )
            }
        }
        return steps
    }
}

extension JSONValue {
    /// The value in a scenario, in which `$${` stands for `${`, the start of a variable.
    fileprivate var withoutVariables: JSONValue {
        switch self {
        case .string(let text): .string(text.replacing("${", with: "$${"))
        case .array(let elements): .array(elements.map(\.withoutVariables))
        case .object(let members): .object(members.mapValues(\.withoutVariables))
        default: self
        }
    }
}

extension AppDescription {
    /// The app without default values.
    fileprivate var withoutDefaults: JSONValue {
        var members = JSONValue(encoding: self).members
        let defaults = JSONValue(encoding: AppDescription(bundleIdentifier: bundleIdentifier, scenes: [])).members
        for (name, value) in members where name != "bundleIdentifier" && defaults[name] == value { members[name] = nil }
        members["scenes"] = .array(scenes.map(\.withoutDefaults))
        return .object(members)
    }
}

extension SceneSession {
    /// The scene without default values.
    fileprivate var withoutDefaults: JSONValue {
        var members = JSONValue(encoding: self).members
        let defaults = JSONValue(encoding: SceneSession(persistentIdentifier: persistentIdentifier)).members
        for (name, value) in members where name != "persistentIdentifier" && defaults[name] == value {
            members[name] = nil
        }
        return .object(members)
    }
}
