internal import Foundation
internal import TextBasics
package import WaypostSchema
package import Yams

/// Reads nodes of a file as a schema describes them, and collects all problems.
package struct SchemaReader {
    /// A scalar with its place in the file, so that a new value can replace it.
    package struct SourceScalar: Sendable, Equatable {
        /// The place.
        package var place: SourcePlace

        /// The text, as it is in the file.
        package var text: String

        /// Creates the scalar from its parts.
        package init(place: SourcePlace, text: String) {
            (self.place, self.text) = (place, text)
        }
    }

    /// A check of a text whose form the schema names with `x-text`.
    ///
    /// It returns the end of a message about the text, or `nil` if the text is accepted.
    package typealias TextCheck = @Sendable (_ form: String, _ text: String) -> String?

    /// The schema.
    package let schema: FileSchema

    /// The path of the file.
    package let file: String

    /// The values of variables, or `nil` if the file has none.
    let variables: [String: String]?

    /// The number of problems after which unknown keys get no suggestion: each is compared with all accepted keys.
    private static let maximumSuggestionCount = 100

    private let checkText: TextCheck

    /// The problems so far.
    package private(set) var findings: [FileFinding] = []

    /// The scalars that were read since the last call of `takeScalars`, by their path.
    private var scalars: [String: SourceScalar] = [:]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - file: the path of the file.
    ///   - variables: the values of variables, or `nil` if the file has none.
    ///   - check: checks texts of special forms.
    package init(_ schema: FileSchema, file: String, variables: [String: String]?, check: @escaping TextCheck) {
        self.schema = schema
        self.file = file
        self.variables = variables
        checkText = check
    }

    /// Returns the scalars that were read since the last call.
    package mutating func takeScalars() -> [String: SourceScalar] {
        defer { scalars = [:] }
        return scalars
    }

    /// Records a problem.
    package mutating func report(_ message: String, at node: Node) {
        findings.append(FileFinding(place: place(of: node), message: message))
    }

    /// Records that a node is not what it must be.
    package mutating func report(_ name: String, _ node: Node, mustBe acceptedValues: String) {
        let rule = acceptedValues.isEmpty ? "" : "; it must be \(acceptedValues)"
        report(node.isWithoutValue ? "\(name) has no value\(rule)" : "\(name) is \(node.kind)\(rule)", at: node)
    }

    /// Records why a value that the schema accepts cannot be used, at the part of a node that the error names.
    package mutating func report(_ error: any Error, at node: Node) {
        guard let error = error as? DecodingError else { return report("\(error)", at: node) }
        report(error.sentence, at: node.part(at: error.path))
    }

    /// Adds the problems of another file, to which this one refers.
    package mutating func report(_ findings: [FileFinding]) {
        self.findings += findings
    }

    /// The place of a node.
    package func place(of node: Node) -> SourcePlace {
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
    package mutating func read(
        _ node: Node,
        as schema: JSONValue,
        called name: String,
        path: String = ""
    ) -> JSONValue? {
        if node.isWithoutValue {
            // Any JSON is accepted here, and so is a null that is written out.
            if self.schema.resolved(schema).acceptsAnything, node.scalar?.string.isEmpty == false { return .null }
            report(name, node, mustBe: acceptedValues(by: self.schema.resolved(schema)))
            return nil
        }
        let otherForm = objectForm(of: self.schema.resolved(schema))
        guard let schema = alternative(for: node, in: self.schema.resolved(schema)) else {
            let example = listExample(with: node, for: self.schema.resolved(schema))
            report(name, node, mustBe: acceptedValues(by: self.schema.resolved(schema)) + example)
            return nil
        }
        switch node {
        case .scalar(let scalar):
            return read(scalar, node, as: schema, called: name, path: path, otherForm: otherForm)
        case .sequence(let sequence): return read(sequence, node, as: schema, called: name, path: path)
        case .mapping(let mapping): return read(mapping, node, as: schema, called: name, path: path)
        case .alias:
            report("\(name) is an alias that stands for nothing", at: node)
            return nil
        }
    }
}

extension SchemaReader {
    /// Returns the alternative of a schema that fits the kind of a node, or `nil` if none does.
    private func alternative(for node: Node, in schema: JSONValue) -> JSONValue? {
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

    /// Returns the end of a sentence about a text that must be a list of texts: the list with this one.
    private func listExample(with node: Node, for schema: JSONValue) -> String {
        guard schema.types == ["array"], self.schema.resolved(schema["items"] ?? .null).types.contains("string"),
            let text = node.scalar?.string, text.wholeMatch(of: /[A-Za-z0-9._=<>%\/-]+/) != nil
        else { return "" }
        return ", such as [\(text)]"
    }

    /// Returns the end of a list of accepted names, if an object with some keys is accepted, too.
    private func objectForm(of schema: JSONValue) -> String {
        let alternatives = (schema["anyOf"]?.elements ?? []).map(self.schema.resolved)
        guard let form = alternatives.first(where: { !$0.requiredKeys.isEmpty }) else { return "" }
        return ", or an object with \(form.quotedRequiredKeys("and"))"
    }

    /// Returns a description of the values that a schema accepts.
    private func acceptedValues(by schema: JSONValue) -> String {
        let alternatives = (schema["anyOf"]?.elements ?? [schema]).map(self.schema.resolved)
        let texts = alternatives.flatMap { schema -> [String] in
            if let values = schema["enum"]?.elements, !values.isEmpty { return values.map(\.plainText) }
            let types = schema.types
            if types.contains("array") { return ["a list"] }
            if types.contains("object") { return ["an object"] }
            if types.contains("string") { return ["a text"] }
            if types.contains("integer") { return ["a whole number"] }
            if types.contains("number") { return ["a number"] }
            if types.contains("boolean") { return ["true", "false"] }
            return []
        }
        return Self.list(texts)
    }

    /// Returns words as people list them, such as `a, b or c`.
    package static func list(_ values: [String], _ conjunction: String = "or") -> String {
        guard let last = values.last, values.count > 1 else { return values.first ?? "" }
        return values.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// Returns the end of a message about an unknown key; it is empty if there are many problems already.
    package func hint(for key: String, among properties: [String: JSONValue], called kind: String) -> String {
        guard findings.count < Self.maximumSuggestionCount else { return "" }
        return Self.suggestion(for: key, among: properties.keys.sorted(), called: kind)
    }

    /// Returns the end of a message about an unknown name: a suggestion, or all accepted names.
    package static func suggestion(for name: String, among names: [String], called kind: String) -> String {
        if let near = name.nearest(among: names) { return "; did you mean '\(near)'?" }
        return names.isEmpty ? "" : "; \(kind): \(names.joined(separator: ", "))"
    }
}

extension SchemaReader {
    private mutating func read(
        _ scalar: Node.Scalar,
        _ node: Node,
        as schema: JSONValue,
        called name: String,
        path: String,
        otherForm: String
    ) -> JSONValue? {
        scalars[path] = SourceScalar(place: place(of: node), text: scalar.string)
        guard let text = expandVariables(in: scalar.string, at: node) else { return nil }
        if let values = schema["enum"]?.elements, !values.isEmpty {
            let names = values.map(\.plainText)
            if let index = names.firstIndex(of: text) { return values[index] }
            let suggestion = text.nearest(among: names).map { "did you mean '\($0)'?" }
            let hint = suggestion ?? "use \(Self.list(names))\(otherForm)"
            report("\(name) is '\(text)'; \(hint)", at: node)
            return nil
        }
        let types = schema.types
        // A quoted scalar is a text; a plain one is what it looks like. In { }, '${name}' needs quotation marks.
        let isPlain = scalar.style == .plain || scalar.style == .any || text != scalar.string
        let plain = PlainScalar(isPlain ? text : nil)
        if types.isEmpty || types.isSuperset(of: ["string", "integer"]) { return plain.value ?? .string(text) }
        if types.contains("string") {
            if text.isEmpty, schema["minLength"] != nil {
                report("\(name) is ''; it must not be empty", at: node)
                return nil
            }
            return readText(text, as: schema["x-text"]?.string, called: name, at: node)
        }
        if types.contains("boolean") {
            if let isTrue = plain.bool { return .bool(isTrue) }
            let quotation = PlainScalar(text).bool == nil ? "" : " in quotation marks"
            report("\(name) is '\(text)'\(quotation); it must be true or false", at: node)
            return nil
        }
        return readNumber(plain, text, as: schema, called: name, at: node)
    }

    private mutating func readNumber(
        _ plain: PlainScalar,
        _ text: String,
        as schema: JSONValue,
        called name: String,
        at node: Node
    ) -> JSONValue? {
        if !schema.types.contains("integer"), let value = plain.double { return .double(value) }
        // A number that is too large for any integer is still a number.
        let isTooLarge = plain.text?.wholeMatch(of: #/[0-9]+/#) != nil && plain.integer == nil
        let (minimum, maximum) = (schema["minimum"]?.integer, schema["maximum"]?.integer ?? (isTooLarge ? .max : nil))
        let range =
            switch (minimum, maximum) {
            case (let minimum?, let maximum?): " from \(minimum) to \(maximum)"
            case (let minimum?, nil): ", at least \(minimum)"
            case (nil, let maximum?): ", at most \(maximum)"
            case (nil, nil): ""
            }
        guard let value = plain.integer, value >= minimum ?? .min, value <= maximum ?? .max else {
            let quotation = plain.text == nil && PlainScalar(text).integer != nil ? " in quotation marks" : ""
            let noun = schema.types.contains("integer") ? "a whole number" : "a number"
            report("\(name) is '\(text)'\(quotation); it must be \(noun)\(range)", at: node)
            return nil
        }
        return .integer(value)
    }

    private mutating func readText(
        _ text: String,
        as kind: String?,
        called name: String,
        at node: Node
    ) -> JSONValue? {
        if let kind, let problem = checkText(kind, text) {
            report("\(name) is '\(text)'\(problem)", at: node)
            return nil
        }
        return .string(text)
    }

    /// Returns a text with the values of its variables, or `nil` after a problem.
    package mutating func expandVariables(in text: String, at node: Node) -> String? {
        guard let variables, text.contains("${") else { return text }
        var rest = Substring(text)
        var result = ""
        while let start = rest.range(of: "${") {
            let before = rest[..<start.lowerBound]
            // '$${' stands for '${'.
            if before.hasSuffix("$") {
                result += before.dropLast() + "${"
                rest = rest[start.upperBound...]
                continue
            }
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                report("'${' in '\(text)' has no '}'", at: node)
                return nil
            }
            let name = String(rest[start.upperBound..<end])
            guard let value = variables[name] else {
                let names = variables.keys.sorted()
                let hint = Self.suggestion(for: name, among: names, called: "variables")
                let advice = names.isEmpty ? "; add it to 'variables', or use --set" : hint
                report("there is no variable '\(name)'\(advice)", at: node)
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
        if let minimum = schema["minItems"]?.integer, sequence.count < minimum {
            report(
                "\(name) is an empty list; it needs at least \(minimum == 1 ? "one element" : "\(minimum) elements")",
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
        let initialFindingCount = findings.count
        var members: [String: JSONValue] = [:]
        var presentKeys: Set<String> = []
        var hasUnknownKeys = false
        if mapping.isEmpty, schema["minProperties"] != nil {
            report("\(name) is an empty object; it needs at least one key", at: node)
        }
        for (key, value) in mapping {
            // The limits of YAML accept no other keys.
            guard let keyText = key.scalar?.string else { continue }
            guard let property = properties[keyText] ?? schema.additionalProperties else {
                report("unknown key '\(keyText)'\(hint(for: keyText, among: properties, called: "keys here"))", at: key)
                hasUnknownKeys = true
                continue
            }
            presentKeys.insert(keyText)
            let memberPath = path.isEmpty ? keyText : "\(path).\(keyText)"
            members[keyText] = read(value, as: property, called: "'\(keyText)'", path: memberPath)
        }
        // After an unknown key, a missing one is probably the same mistake.
        guard !hasUnknownKeys else { return nil }
        for required in schema.requiredKeys where !presentKeys.contains(required) {
            report("\(name) needs '\(required)'", at: node)
        }
        if let alternatives = schema["oneOf"]?.elements {
            checkAlternatives(alternatives, presentKeys, called: name, at: node)
        }
        if let excluded = schema["not"], excluded.matches(presentKeys) {
            report("\(name) has \(excluded.quotedRequiredKeys("and")); it can have only one of them", at: node)
        }
        return findings.count == initialFindingCount ? .object(members) : nil
    }

    /// Checks that exactly one of several groups of keys is there.
    private mutating func checkAlternatives(
        _ alternatives: [JSONValue],
        _ keys: Set<String>,
        called name: String,
        at node: Node
    ) {
        let matching = alternatives.filter { $0.matches(keys) }
        guard matching.count != 1 else { return }
        if !matching.isEmpty {
            let groups = matching.map { $0.quotedRequiredKeys("with") }
            report("\(name) has \(Self.list(groups, "and")); it can have only one of them", at: node)
        } else if let partial = alternatives.first(where: { !keys.isDisjoint(with: $0.requiredKeys) }) {
            let presentKey = partial.requiredKeys.filter(keys.contains).joined()
            let missingKey = partial.requiredKeys.filter { !keys.contains($0) }.joined()
            report("\(name) with '\(presentKey)' needs '\(missingKey)'", at: node)
        } else {
            report("\(name) needs \(Self.list(alternatives.map { $0.quotedRequiredKeys("with") }))", at: node)
        }
    }
}

extension Node {
    /// Returns the part that a path of keys leads to, or the last node on the way that is there.
    package func part(at path: [any CodingKey]) -> Node {
        var node = self
        for key in path {
            let elements = node.sequence.map(Array.init) ?? []
            let next = key.intValue.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            // In a list, the subscript of a node would read the key as a number of YAML 1.1.
            guard let part = next ?? node.mapping?[key.stringValue] else { break }
            node = part
        }
        return node
    }

    /// The kind of the node, for messages.
    package var kind: String {
        switch self {
        case .scalar(let scalar): "'\(scalar.string)'"
        case .sequence: "a list"
        case .mapping: "an object"
        case .alias: "an alias"
        }
    }
}
