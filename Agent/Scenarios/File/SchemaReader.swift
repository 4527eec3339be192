internal import Foundation
internal import Spelling
internal import WaypostSchema
internal import Yams

/// Reads nodes of a scenario file as a schema describes them, and collects all problems.
struct SchemaReader {
    /// A scalar of the file that a new value can replace.
    struct ScalarPlace: Sendable, Equatable {
        var place: SourcePlace
        var text: String
    }

    let schema: ScenarioSchema
    let file: String
    let variables: [String: String]
    let names: ScenarioNames

    private(set) var findings: [ScenarioFinding] = []

    /// The scalars that were read since the last call of `takeScalars`, by their path.
    private var scalars: [String: ScalarPlace] = [:]

    init(_ schema: ScenarioSchema, file: String, variables: [String: String] = [:], names: ScenarioNames = .init()) {
        self.schema = schema
        self.file = file
        self.variables = variables
        self.names = names
    }

    /// Returns the scalars that were read since the last call.
    mutating func takeScalars() -> [String: ScalarPlace] {
        defer { scalars = [:] }
        return scalars
    }

    mutating func note(_ message: String, at node: Node) {
        findings.append(ScenarioFinding(place: place(of: node), message: message))
    }

    /// The place of a node.
    func place(of node: Node) -> SourcePlace {
        SourcePlace(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - node: the node.
    ///   - schema: its schema.
    ///   - name: the value in messages, such as `'count'`.
    ///   - path: the path of the value, see `takeScalars`.
    /// - Returns: the value, or `nil` after a problem.
    mutating func read(_ node: Node, as schema: JSONValue, called name: String, path: String = "") -> JSONValue? {
        if node.isWithoutValue {
            note("\(name) has no value", at: node)
            return nil
        }
        guard let schema = choice(for: node, in: self.schema.resolved(schema)) else {
            note("\(name) is \(node.kind); it must be \(accepted(by: self.schema.resolved(schema)))", at: node)
            return nil
        }
        switch node {
        case .scalar(let scalar): return read(scalar, node, as: schema, called: name, path: path)
        case .sequence(let sequence): return read(sequence, node, as: schema, called: name, path: path)
        case .mapping(let mapping): return read(mapping, node, as: schema, called: name, path: path)
        case .alias:
            note("\(name) is an alias that stands for nothing", at: node)
            return nil
        }
    }
}

extension SchemaReader {
    /// Returns the schema, or the alternative of it that fits the kind of a node.
    private func choice(for node: Node, in schema: JSONValue) -> JSONValue? {
        let alternatives = (schema["anyOf"]?.elements ?? [schema]).map(self.schema.resolved)
        return alternatives.first { schema in
            let types = schema.types
            switch node {
            case .scalar: return types.isEmpty || !types.isDisjoint(with: JSONValue.scalarTypes)
            case .sequence: return types.isEmpty || types.contains("array")
            case .mapping: return types.isEmpty || types.contains("object")
            case .alias: return true
            }
        }
    }

    /// Returns a description of the values that a schema accepts.
    private func accepted(by schema: JSONValue) -> String {
        let alternatives = (schema["anyOf"]?.elements ?? [schema]).map(self.schema.resolved)
        let texts = alternatives.compactMap { schema -> String? in
            if let values = schema["enum"]?.elements, !values.isEmpty { return Self.list(values.map(\.plainText)) }
            let types = schema.types
            if types.contains("array") { return "a list" }
            if types.contains("object") { return "an object" }
            if types.contains("string") { return "a text" }
            if types.contains("integer") { return "a whole number" }
            if types.contains("number") { return "a number" }
            if types.contains("boolean") { return "true or false" }
            return nil
        }
        return texts.joined(separator: " or ")
    }

    static func list(_ values: [String], _ conjunction: String = "or") -> String {
        guard let last = values.last, values.count > 1 else { return values.first ?? "" }
        return values.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// Returns the end of a message about an unknown name: a suggestion, or the names that are known.
    static func suggestion(for name: String, among known: [String], called kind: String) -> String {
        if let near = name.nearest(among: known) { return "; did you mean '\(near)'?" }
        return known.isEmpty ? "" : "; \(kind): \(known.joined(separator: ", "))"
    }
}

extension SchemaReader {
    private mutating func read(
        _ scalar: Node.Scalar,
        _ node: Node,
        as schema: JSONValue,
        called name: String,
        path: String
    ) -> JSONValue? {
        scalars[path] = ScalarPlace(place: place(of: node), text: scalar.string)
        guard let text = expanded(scalar.string, at: node) else { return nil }
        if let values = schema["enum"]?.elements, !values.isEmpty {
            let names = values.map(\.plainText)
            if let index = names.firstIndex(of: text) { return values[index] }
            let near = text.nearest(among: names).map { "; did you mean '\($0)'?" } ?? ""
            note("\(name) is '\(text)'; use \(Self.list(names))\(near)", at: node)
            return nil
        }
        let types = schema.types
        // A quoted scalar is a text; a plain one is what it looks like.
        let plain = PlainScalar(scalar.style == .plain || scalar.style == .any ? text : nil)
        if types.isEmpty || types.isSuperset(of: ["string", "integer"]) { return plain.value ?? .string(text) }
        if types.contains("string") { return checked(text, as: schema["x-text"]?.string, called: name, at: node) }
        if types.contains("boolean") {
            if let isTrue = plain.bool { return .bool(isTrue) }
            note("\(name) is '\(text)'; it must be true or false", at: node)
            return nil
        }
        return number(plain, text, as: schema, called: name, at: node)
    }

    private mutating func number(
        _ plain: PlainScalar,
        _ text: String,
        as schema: JSONValue,
        called name: String,
        at node: Node
    ) -> JSONValue? {
        if !schema.types.contains("integer"), let value = plain.double { return .double(value) }
        let (least, most) = (schema["minimum"]?.integer, schema["maximum"]?.integer)
        let range =
            switch (least, most) {
            case (let least?, let most?): " from \(least) to \(most)"
            case (let least?, nil): ", at least \(least)"
            case (nil, let most?): ", at most \(most)"
            case (nil, nil): ""
            }
        guard let value = plain.integer, value >= least ?? .min, value <= most ?? .max else {
            note("\(name) is '\(text)'; it must be a whole number\(range)", at: node)
            return nil
        }
        return .integer(value)
    }

    private mutating func checked(
        _ text: String,
        as kind: String?,
        called name: String,
        at node: Node
    ) -> JSONValue? {
        guard let kind = kind.flatMap(TextKind.init(rawValue:)) else { return .string(text) }
        if let problem = kind.problem(of: text, names) {
            note("\(name) is '\(text)'\(problem)", at: node)
            return nil
        }
        return .string(text)
    }

    /// Replaces the variables in a text.
    mutating func expanded(_ text: String, at node: Node) -> String? {
        guard text.contains("${") else { return text }
        var rest = Substring(text)
        var result = ""
        while let start = rest.range(of: "${") {
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                note("'${' in '\(text)' has no '}'", at: node)
                return nil
            }
            let name = String(rest[start.upperBound..<end])
            guard let value = variables[name] else {
                let known = variables.keys.sorted()
                let hint = Self.suggestion(for: name, among: known, called: "variables")
                note("there is no variable '\(name)'\(hint)", at: node)
                return nil
            }
            result += rest[..<start.lowerBound] + value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}

extension SchemaReader {
    private mutating func read(
        _ sequence: Node.Sequence,
        _ node: Node,
        as schema: JSONValue,
        called name: String,
        path: String
    ) -> JSONValue? {
        if let least = schema["minItems"]?.integer, sequence.count < least {
            note(
                "\(name) is an empty list; it needs at least \(least == 1 ? "one element" : "\(least) elements")",
                at: node
            )
            return nil
        }
        let items = schema["items"] ?? .object([:])
        var elements: [JSONValue] = []
        var isComplete = true
        for (index, element) in sequence.enumerated() {
            if let value = read(element, as: items, called: "an element of \(name)", path: "\(path)[\(index)]") {
                elements.append(value)
            } else {
                isComplete = false
            }
        }
        return isComplete ? .array(elements) : nil
    }

    private mutating func read(
        _ mapping: Node.Mapping,
        _ node: Node,
        as schema: JSONValue,
        called name: String,
        path: String
    ) -> JSONValue? {
        let properties = schema["properties"]?.members ?? [:]
        let findingsBefore = findings.count
        var members: [String: JSONValue] = [:]
        for (key, value) in mapping {
            guard let keyText = key.scalar?.string else {
                note("a key of \(name) is \(key.kind); it must be a text", at: key)
                continue
            }
            guard let property = properties[keyText] ?? schema.additionalProperties else {
                let known = properties.keys.sorted()
                note(
                    "unknown key '\(keyText)'\(Self.suggestion(for: keyText, among: known, called: "keys here"))",
                    at: key
                )
                continue
            }
            let place = path.isEmpty ? keyText : "\(path).\(keyText)"
            members[keyText] = read(value, as: property, called: "'\(keyText)'", path: place)
        }
        // After an unknown key, a missing one is probably the same mistake.
        guard findings.count == findingsBefore else { return nil }
        for required in (schema["required"]?.elements ?? []).compactMap(\.string) where members[required] == nil {
            note("\(name) needs '\(required)'", at: node)
        }
        if let alternatives = schema["oneOf"]?.elements { check(alternatives, members, called: name, at: node) }
        return findings.count == findingsBefore ? .object(members) : nil
    }

    /// Checks that exactly one of several groups of keys is there.
    private mutating func check(
        _ alternatives: [JSONValue],
        _ members: [String: JSONValue],
        called name: String,
        at node: Node
    ) {
        let fitting = alternatives.filter { $0.matches(members) }
        guard fitting.count != 1 else { return }
        let all = alternatives.map { $0.requiredKeys.map { "'\($0)'" }.joined(separator: " with ") }
        let given = Set(fitting.flatMap(\.requiredKeys)).sorted().map { "'\($0)'" }
        if fitting.isEmpty {
            note("\(name) needs one of \(Self.list(all))", at: node)
        } else {
            note("\(name) has \(Self.list(given, "and")); it needs only one of them", at: node)
        }
    }
}

extension JSONValue {
    fileprivate static let scalarTypes: Set<String> = ["string", "integer", "number", "boolean"]

    /// The types that a schema accepts; empty for any.
    fileprivate var types: Set<String> {
        guard let type = self["type"] else { return [] }
        return type.string.map { [$0] } ?? Set(type.elements.compactMap(\.string)).subtracting(["null"])
    }

    /// The schema of further members of an object, or `nil` if there may be none.
    fileprivate var additionalProperties: JSONValue? {
        switch self["additionalProperties"] {
        case .bool(true): .object([:])
        case .object(let schema): .object(schema)
        case nil where self["properties"] == nil: .object([:])
        default: nil
        }
    }

    /// The names of the required members of an object.
    fileprivate var requiredKeys: [String] {
        (self["required"]?.elements ?? []).compactMap(\.string)
    }

    /// Returns whether an object has the members that this part of a schema requires, and none that it excludes.
    fileprivate func matches(_ members: [String: JSONValue]) -> Bool {
        guard requiredKeys.allSatisfy({ members[$0] != nil }) else { return false }
        guard let excluded = self["not"] else { return true }
        return !(excluded["anyOf"]?.elements ?? [excluded]).contains { $0.matches(members) }
    }
}

extension Node {
    /// The kind of the node, for messages.
    fileprivate var kind: String {
        switch self {
        case .scalar(let scalar): "'\(scalar.string)'"
        case .sequence: "a list"
        case .mapping: "an object"
        case .alias: "an alias"
        }
    }
}

/// A scalar without quotes, as what it looks like (YAML 1.2, core schema).
private struct PlainScalar {
    /// The text, or `nil` for a scalar with quotes.
    let text: String?

    init(_ text: String?) {
        self.text = text
    }

    var integer: Int? { text.flatMap { Int($0) } }
    var double: Double? { text.flatMap { Double($0) } }

    var bool: Bool? {
        switch text {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    var value: JSONValue? {
        bool.map(JSONValue.bool) ?? integer.map(JSONValue.integer)
            ?? double.flatMap { $0.isFinite ? .double($0) : nil }
    }
}
