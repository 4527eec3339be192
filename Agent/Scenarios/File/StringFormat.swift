internal import Foundation
internal import PushRules
internal import SchemaFiles
internal import TextBasics
internal import WaypostSchema

/// The names that a scenario declares.
package struct ScenarioNames: Sendable, Equatable {
    /// The devices.
    var devices: [String] = []

    /// The keys under which several devices are described at once, with the first and the last of them.
    var groups: [String: String] = [:]

    /// The devices as messages list them, such as `phone 1 to phone 20`.
    var listEntries: [String] = []

    /// The devices with invalid descriptions, each of which has its own finding.
    var invalidDevices: [String] = []

    /// The scenes of all apps.
    var scenes: [String] = []

    /// The bundle identifiers of all apps.
    var apps: [String] = []

    /// Whether there are further apps and scenes: those that events create, or those of invalid devices.
    var isIncomplete = false

    /// Creates the names of the devices of a scenario; it is `package` only for fuzz targets.
    package init(of scenario: Scenario) {
        self.init(scenario.devices)
    }

    /// Creates the names of devices, of their apps and of the scenes of these.
    init(_ devices: [ScenarioDevice] = []) {
        for device in devices {
            add(device)
            for app in device.description.apps {
                apps.append(app.bundleIdentifier.rawValue)
                scenes += app.scenes.map(\.persistentIdentifier.rawValue)
            }
        }
        apps = Set(apps).sorted()
        scenes = Set(scenes).sorted()
    }

    /// Adds a device, or several with the same description.
    private mutating func add(_ device: ScenarioDevice) {
        devices += device.names
        guard device.count != nil, let first = device.names.first, let last = device.names.last else {
            listEntries.append(device.key)
            return
        }
        let range = first == last ? first : "\(first) to \(last)"
        groups[device.key] = range
        listEntries.append(range)
    }
}

/// A format of strings that a schema names with `x-text`.
enum StringFormat: String {
    case duration
    case time
    case device
    case devices
    case process
    case scene
    case app
    case path
    case channel
    case callback
    case eventType
    case pushType
    case token

    /// Returns the end of a message about `text`, or `nil` if it is accepted.
    func problem(of text: String, _ names: ScenarioNames) -> String? {
        switch self {
        case .duration:
            return DurationText.problem(of: text)
        case .time:
            return Self.problem(ofTime: text)
        case .device, .devices, .process: return unknownDevice(text, names)
        case .scene:
            guard !names.isIncomplete, !Self.isNewScene(text) else { return nil }
            return unknown(text, among: names.scenes, kind: "scenes", describedAs: "no scene of an app")
        case .app:
            guard !names.isIncomplete else { return nil }
            return unknown(text, among: names.apps, kind: "apps", describedAs: "no app of a device")
        case .callback: return ExpectedCall.problem(of: text)
        case .eventType:
            return unknown(
                text,
                among: DeviceEvent.Kind.allCases.map(\.rawValue),
                kind: "types",
                describedAs: "no type of event"
            )
        case .pushType:
            let names = PushType.documented.map(\.rawValue).sorted()
            return unknown(text, among: names, kind: "types", describedAs: "no push type")
        case .token:
            let kinds = TokenPurpose.Kind.allCases.map(\.rawValue).sorted()
            let kind = TokenSelector.kindName(in: text) ?? text
            return unknown(kind, among: kinds, kind: "kinds", describedAs: "not a kind of token")
        case .path, .channel: return text.isEmpty ? "; it must not be empty" : nil
        }
    }

    /// Returns the end of a message about a device, or about `gateway` if this is a process.
    private func unknownDevice(_ text: String, _ names: ScenarioNames) -> String? {
        // A missing or invalid device has its own finding.
        guard !names.devices.isEmpty || !names.invalidDevices.isEmpty, !names.devices.contains(text) else { return nil }
        if names.invalidDevices.contains(where: { text == $0 || text.hasPrefix($0 + " ") }) { return nil }
        if self == .process, text == "gateway" { return nil }
        if let range = names.groups[text] {
            guard self == .device else { return nil }
            return range.contains(" to ")
                ? ", which is several devices; use one of \(range)" : ", which is a group of one; use \(range)"
        }
        // The number of a device in a group is not misspelled; it is too large.
        let isInGroup = names.groups.keys.contains { text.hasPrefix($0 + " ") }
        let others = (self == .process ? ["gateway"] : []) + (self == .device ? [] : names.groups.keys.sorted())
        let nearestName = isInGroup ? nil : text.nearest(among: others + names.devices + names.invalidDevices)
        let kind = self == .process ? "neither 'gateway' nor a device" : "no device of this scenario"
        let list = (names.listEntries + names.invalidDevices).joined(separator: ", ")
        let choices = (self == .process ? "use one of: gateway, " : "devices: ") + list
        return ", which is \(kind); \(nearestName.map { "did you mean '\($0)'?" } ?? choices)"
    }

    private func unknown(
        _ text: String,
        among names: [String],
        kind: String,
        describedAs description: String
    ) -> String? {
        guard !names.contains(text) else { return nil }
        return ", which is \(description)" + SchemaReader.suggestion(for: text, among: names, called: kind)
    }

    /// Returns whether a device may give this name to a scene that it creates.
    private static func isNewScene(_ text: String) -> Bool {
        text.wholeMatch(of: #/new-scene-[1-9][0-9]*/#) != nil
    }

    /// Returns the end of a message about a string that is not a time, or `nil` if it is one.
    private static func problem(ofTime text: String) -> String? {
        guard timestamp(in: text) == nil else { return nil }
        return (try? Date(text, strategy: .iso8601)) == nil
            ? "; use a time such as 2050-01-01T09:00:00Z" : "; there is no such day or time of day"
    }

    /// Returns the time that `text` has in ISO 8601, or `nil` if it is none.
    static func timestamp(in text: String) -> Timestamp? {
        // Foundation accepts the 30th of February and the 25th hour.
        guard let parts = text.wholeMatch(of: #/(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d).*/#)?.output,
            DateComponents(
                calendar: Calendar(identifier: .gregorian),
                year: Int(parts.1),
                month: Int(parts.2),
                day: Int(parts.3),
                hour: Int(parts.4),
                minute: Int(parts.5),
                second: Int(parts.6)
            ).isValidDate,
            let date = try? Date(text, strategy: .iso8601)
        else { return nil }
        return Timestamp(milliseconds: Int(date.timeIntervalSince1970 * 1_000))
    }
}
