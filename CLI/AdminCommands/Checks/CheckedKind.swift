internal import DeviceFiles
internal import Fleets
internal import Foundation
internal import LoadTesting
internal import Scenarios
internal import SchemaFiles
internal import TextBasics
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
    /// decide. Otherwise it is the kind whose schema suits most of the keys.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - preferred: the kind that is chosen if no other one suits the keys better.
    /// - Returns: the kind.
    /// - Throws: `FileFindings` if the file cannot be read, or is of no kind.
    static func kind(of path: String, preferring preferred: Self? = nil) throws -> Self {
        if path.hasSuffix(".apns") { return .payload }
        if path.hasSuffix("apple-app-site-association") { return .association }
        guard !path.hasSuffix(".jsonl") || !FileManager.default.isReadableFile(atPath: path) else {
            let message = "JSON Lines are not checked here; 'waypost replay' reads the events of a journal"
            throw FileFindings([FileFinding(place: SourcePlace(file: path, line: 1, column: 1), message: message)])
        }
        let text = try FileText(file: path)
        if let named = schemaName(in: text.text).flatMap(Self.init) { return named }
        let members = (text.root.mapping.map(Array.init) ?? []).compactMap { member in
            member.key.scalar.map { (key: $0.string, value: member.value) }
        }
        let keys = members.map(\.key)
        if !associationKeys.isDisjoint(with: keys) { return .association }
        if keys.contains("aps") { return .payload }
        if let nearest = try nearest(to: members, preferring: preferred) { return nearest }
        let place = SourcePlace(file: path, line: 1, column: 1)
        let list = keys.isEmpty ? "it has no keys" : "its keys are \(keys.prefix(5).joined(separator: ", "))"
        let kinds = allCases.map(\.rawValue).joined(separator: ", ")
        let message = "nothing tells what this file is: \(list); give --kind, one of \(kinds)"
        throw FileFindings([FileFinding(place: place, message: message)])
    }

    /// Returns the problems of a file that should be of this kind, or the one problem that it is of another kind.
    ///
    /// - Parameters:
    ///   - error: the problems.
    ///   - path: the path of the file.
    /// - Returns: the problems to report.
    func explaining(_ error: FileFindings, of path: String) -> FileFindings {
        guard let actual = try? Self.kind(of: path, preferring: self), actual != self else { return error }
        let hint = self == .stack && actual == .device ? "; list it under 'devices' of a stack file" : ""
        let place = SourcePlace(file: path, line: 1, column: 1)
        return FileFindings([FileFinding(place: place, message: "this is \(actual.name), and not \(name)\(hint)")])
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

    /// The kind whose schema suits most of the keys and their values, and at least half of the keys.
    ///
    /// - Parameters:
    ///   - members: the keys and values of the file.
    ///   - preferred: the kind that is chosen if no other one suits more.
    /// - Returns: the kind.
    /// - Throws: `JSONError` if a schema is damaged.
    private static func nearest(
        to members: [(key: String, value: Node)],
        preferring preferred: Self? = nil
    ) throws -> Self? {
        let scores = try allCases.map { kind in
            let properties = try kind.schema()?.root["properties"]?.members ?? [:]
            let scores = members.map { score(of: $0.key, $0.value, among: properties) }
            return (kind: kind, sum: scores.reduce(0, +), known: scores.count { $0 > 0 })
        }
        guard let best = scores.max(by: { $0.sum < $1.sum }), best.sum > 0, 2 * best.known >= members.count else {
            return nil
        }
        let own = scores.first { $0.kind == preferred }
        return own.map { $0.sum >= best.sum } == true ? preferred : best.kind
    }

    /// How well a schema suits a key: more if it is spelled like that, and if the value may be of the type.
    private static func score(of key: String, _ value: Node, among properties: [String: JSONValue]) -> Int {
        if let property = properties[key] { return property.accepts(value) ? 3 : 1 }
        guard let name = key.nearest(among: properties.keys.sorted()), let property = properties[name] else { return 0 }
        return property.accepts(value) ? 2 : 0
    }

    private func schema() throws -> FileSchema? {
        switch self {
        case .app: try .app()
        case .association, .payload: nil
        case .device: try .device()
        case .fleet: try .fleet()
        case .load: try .loadProfile()
        case .scenario: try .scenario()
        case .stack: try .stack()
        }
    }
}

extension JSONValue {
    /// Whether a schema may accept a node, by its type alone.
    fileprivate func accepts(_ node: Node) -> Bool {
        let isNumber = node.scalar.map { $0.style == .plain && Double($0.string) != nil } ?? false
        return switch self["type"]?.string {
        case "array": node.sequence != nil
        case "object": node.mapping != nil
        case "integer", "number": isNumber
        case "string": node.scalar != nil && !isNumber
        case nil: true
        default: node.scalar != nil
        }
    }
}

extension AppFile {
    /// Reads the app file that a command needs.
    ///
    /// - Throws: `FileFindings` with all problems and their places; `JSONError` if the schema is damaged.
    static func read(_ path: String) throws -> Self {
        do {
            return try Self(path, .app())
        } catch let error as FileFindings {
            throw CheckedKind.app.explaining(error, of: path)
        }
    }
}
