internal import Foundation
internal import WaypostSchema

/// The names that a scenario declares.
struct ScenarioNames: Sendable, Equatable {
    /// The devices.
    var devices: [String] = []

    /// The keys under which several devices are described at once.
    var groups: [String] = []

    /// The scenes of all apps.
    var scenes: [String] = []

    /// The bundle identifiers of all apps.
    var apps: [String] = []

    /// Whether the scenario creates further apps and scenes with events.
    var isOpen = false
}

/// A form of text that a schema names with `x-text`.
enum TextKind: String {
    case duration
    case time
    case device
    case devices
    case process
    case scene
    case app
    case path
    case channel
    case eventType
    case pushType

    /// Returns the end of a message about `text`, or `nil` if it is accepted.
    func problem(of text: String, _ names: ScenarioNames) -> String? {
        switch self {
        case .duration:
            return DurationText.milliseconds(in: text) == nil ? "; \(DurationText.accepted)" : nil
        case .time:
            return Self.timestamp(in: text) == nil ? "; use a time such as 2050-01-01T09:00:00Z" : nil
        case .device: return unknown(text, names.devices, "devices", isAGroup: names.groups.contains(text))
        case .devices: return unknown(text, names.devices + names.groups, "devices")
        case .process:
            let known = ["gateway"] + names.devices + names.groups
            return unknown(text, known, "use one of", describedAs: "neither 'gateway' nor a device")
        case .scene:
            return names.isOpen ? nil : unknown(text, names.scenes, "scenes", describedAs: "no scene of an app")
        case .app: return names.isOpen ? nil : unknown(text, names.apps, "apps", describedAs: "no app of a device")
        case .eventType:
            return unknown(text, DeviceEvent.Kind.allCases.map(\.rawValue), "types", describedAs: "no type of event")
        case .pushType:
            let known = PushType.known.map(\.rawValue).sorted()
            return unknown(text, known, "types", describedAs: "no push type")
        case .path, .channel: return text.isEmpty ? "; it must not be empty" : nil
        }
    }

    private func unknown(
        _ text: String,
        _ known: [String],
        _ kind: String,
        describedAs description: String = "no device of this scenario",
        isAGroup: Bool = false
    ) -> String? {
        guard !known.contains(text) else { return nil }
        if isAGroup {
            let members = known.filter { $0.hasPrefix(text + " ") }
            return ", which is several devices; use one of \(members.first ?? "") to \(members.last ?? "")"
        }
        return ", which is \(description)" + SchemaReader.suggestion(for: text, among: known, called: kind)
    }

    /// Returns the time that `text` has in ISO 8601, or `nil` if it is none.
    static func timestamp(in text: String) -> Timestamp? {
        guard let date = try? Date(text, strategy: .iso8601) else { return nil }
        return Timestamp(milliseconds: Int(date.timeIntervalSince1970 * 1_000))
    }
}
