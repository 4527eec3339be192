internal import DeviceFiles
internal import Fleets
internal import Foundation
internal import LoadTesting
internal import Scenarios
internal import SchemaFiles
internal import WaypostSchema
internal import Yams

/// The kinds of files that `waypost check` checks.
enum CheckedKind: String, CaseIterable, Sendable {
    case app
    case association
    case device
    case fleet
    case load
    case payload
    case scenario
    case stack

    /// The top-level keys of association files.
    private static let associationKeys: Set = ["activitycontinuation", "appclips", "applinks", "webcredentials"]

    /// The name in sentences.
    var name: String {
        switch self {
        case .app: "an app file"
        case .association: "an association file"
        case .device: "a device file"
        case .fleet: "the behavior of a fleet"
        case .load: "the profile of a load test"
        case .payload: "a payload"
        case .scenario: "a scenario"
        case .stack: "a stack file"
        }
    }

    /// Returns the kind of a file by its name and its content.
    ///
    /// A name that only one kind has, the schema that its first line names for editors, and keys that only one kind has
    /// decide. Otherwise it is the kind whose schema has most of the keys.
    ///
    /// - Parameter path: the path.
    /// - Returns: the kind.
    /// - Throws: `FileFindings` if the file cannot be read, or is of no kind.
    static func kind(of path: String) throws -> Self {
        if path.hasSuffix(".apns") { return .payload }
        if path.hasSuffix("apple-app-site-association") { return .association }
        let text = try FileText(file: path)
        if let named = schemaName(in: text.text).flatMap(Self.init) { return named }
        let keys = text.root.mapping.map { $0.keys.compactMap(\.scalar?.string) } ?? []
        if !associationKeys.isDisjoint(with: keys) { return .association }
        if keys.contains("aps") { return .payload }
        if let nearest = try nearest(to: Set(keys)) { return nearest }
        let place = SourcePlace(file: path, line: 1, column: 1)
        let list = keys.isEmpty ? "it has no keys" : "its keys are \(keys.prefix(5).joined(separator: ", "))"
        let kinds = allCases.map(\.rawValue).joined(separator: ", ")
        let message = "nothing tells what this file is: \(list); give --kind, one of \(kinds)"
        throw FileFindings([FileFinding(place: place, message: message)])
    }

    /// Returns whether a scenario is a whole one, and not a file that others include.
    ///
    /// - Throws: `FileFindings` if the file cannot be read.
    static func hasSteps(_ path: String) throws(FileFindings) -> Bool {
        let text = try FileText(file: path)
        return text.root["steps"] != nil || text.root["name"] != nil
    }

    /// The name of the schema in a comment such as `# yaml-language-server: $schema=schemas/device.json`.
    private static func schemaName(in text: String) -> String? {
        let line = text.prefix { $0 != "\n" }
        return line.wholeMatch(of: #/# yaml-language-server: \$schema=(?:.*\/)?([a-z]+)\.json\s*/#).map { String($0.1) }
    }

    /// The kind whose schema has most of the keys, and at least half of them.
    private static func nearest(to keys: Set<String>) throws -> Self? {
        let counts = try allCases.map { kind in (kind, try kind.schemaKeys().intersection(keys).count) }
        guard let (kind, count) = counts.max(by: { $0.1 < $1.1 }), count > 0, 2 * count >= keys.count else {
            return nil
        }
        return kind
    }

    private func schemaKeys() throws -> Set<String> {
        let schema: FileSchema? =
            switch self {
            case .app: try .app()
            case .association, .payload: nil
            case .device: try .device()
            case .fleet: try .fleet()
            case .load: try .loadProfile()
            case .scenario: try .scenario()
            case .stack: try .stack()
            }
        return Set((schema?.root["properties"]?.members ?? [:]).keys)
    }
}
