internal import JSONScanning
package import WaypostSchema

/// The JSON Schema of a kind of file, with which Waypost itself reads it.
///
/// The keyword `x-text` names a form of text that only Waypost checks, such as a duration.
package struct FileSchema: Sendable {
    /// The schema of the whole file.
    package let root: JSONValue

    private let definitions: [String: JSONValue]

    /// The wire schema, which is parsed once.
    private static let wire = Result { try DocumentDecoder.decode(JSONValue.self, from: SchemaDocument.text.utf8) }

    /// Creates a schema, whose references may also be to the definitions of the wire schema and to other schemas.
    ///
    /// A reference at the root adds the keys of what it refers to.
    ///
    /// - Parameters:
    ///   - root: the schema.
    ///   - others: other schemas, by the names under which this one refers to them.
    /// - Throws: `JSONError` if the wire schema is damaged.
    package init(_ root: JSONValue, including others: [String: FileSchema] = [:]) throws {
        var definitions = try Self.wire.get()["$defs"]?.members ?? [:]
        for (name, other) in others {
            definitions.merge(other.definitions) { _, other in other }
            definitions[name] = other.root
        }
        self.definitions = definitions.merging(root["$defs"]?.members ?? [:]) { _, own in own }
        if let name = root["$ref"]?.referenceName, let base = self.definitions[name] {
            self.root = root.extending(base)
        } else {
            self.root = root
        }
    }

    /// Parses a schema in JSON, see `init(_:including:)`.
    ///
    /// - Throws: `JSONError` if it is damaged.
    package init(_ text: [UInt8], including others: [String: FileSchema] = [:]) throws {
        try self.init(DocumentDecoder.decode(JSONValue.self, from: text), including: others)
    }

    /// Creates a schema with its root and its definitions.
    package init(root: JSONValue, definitions: [String: JSONValue] = [:]) {
        (self.root, self.definitions) = (root, definitions)
    }

    /// Returns the schema of a file whose root is what one of the definitions describes.
    package func rooted(at definition: String) -> Self {
        Self(root: self[definition], definitions: definitions)
    }

    /// Parses a schema inside the program.
    ///
    /// - Parameters:
    ///   - document: returns the schema in JSON, and sets its number of bytes.
    ///   - others: other schemas, by the names under which this one refers to them.
    /// - Throws: `JSONError` if one of them is damaged.
    package init(
        embedded document: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>,
        including others: [String: FileSchema] = [:]
    ) throws {
        var count = 0
        let bytes = document(&count)
        try self.init(Array(UnsafeBufferPointer(start: bytes, count: count)), including: others)
    }

    /// The schema of a definition.
    package subscript(definition: String) -> JSONValue {
        definitions[definition] ?? .object([:])
    }

    /// Returns a schema with its reference replaced by what it refers to.
    func resolved(_ schema: JSONValue) -> JSONValue {
        schema["$ref"]?.referenceName.map { resolved(self[$0]) } ?? schema
    }

    /// The document for editors: it has all definitions that it needs.
    package var document: JSONValue {
        var needed: [String: JSONValue] = [:]
        var pending = [root]
        while let next = pending.popLast() {
            for name in next.references where needed[name] == nil {
                needed[name] = self[name]
                pending.append(self[name])
            }
        }
        var members = root.members
        members["$defs"] = .object(needed)
        return JSONValue.object(members).editorSchema
    }
}

extension JSONValue {
    /// The members of an object; empty for any other value.
    package var members: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return members
    }

    /// The elements of an array; empty for any other value.
    package var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The number, if the value is a whole one.
    package var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The value as text: a text without quotes, anything else as JSON.
    package var plainText: String {
        switch self {
        case .string(let text): text
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .double(let value): "\(value)"
        case .array(let elements): "[" + elements.map(\.plainText).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.plainText)" }.joined(separator: ", ")
                + "}"
        }
    }

    /// The name of the definition to which a reference leads.
    fileprivate var referenceName: String? {
        string?.split(separator: "/").last.map(String.init)
    }

    /// Returns a schema with the keys of another one, to which it refers, and its own.
    fileprivate func extending(_ base: JSONValue) -> JSONValue {
        var members = base.members.merging(members) { _, own in own }
        members["$ref"] = nil
        let properties = base["properties"]?.members.merging(self["properties"]?.members ?? [:]) { _, own in own }
        members["properties"] = properties.map(JSONValue.object)
        return .object(members)
    }

    /// The names of the definitions to which a schema refers, in its parts too.
    fileprivate var references: Set<String> {
        switch self {
        case .object(let members):
            members.reduce(into: []) { names, member in
                if member.key == "$ref", let name = member.value.referenceName {
                    names.insert(name)
                } else if member.key != "$defs" {
                    names.formUnion(member.value.references)
                }
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.references) }
        default: []
        }
    }
}
