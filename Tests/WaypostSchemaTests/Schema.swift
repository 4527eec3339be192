import WaypostSchema

/// The schema as a tree.
struct Schema {
    /// The whole document.
    let document: JSONValue

    /// The definitions by name.
    let definitions: [String: JSONValue]

    /// Returns the schema of the module, which is read once.
    static func current() throws -> Schema {
        try parsed.get()
    }

    private static let parsed = Result { try Schema() }

    private init() throws {
        document = try JSONValue(json: SchemaDocument.text)
        definitions = document["$defs"]?.members ?? [:]
    }

    /// The names of the definitions for which `condition` holds, in order.
    func names(where condition: (JSONValue) -> Bool) -> [String] {
        definitions.filter { condition($0.value) }.keys.sorted()
    }

    /// The names of the members of the objects of `type`.
    func properties(of type: WireType) -> Set<String> {
        Set(parts(of: type.name).flatMap { ($0["properties"]?.members ?? [:]).keys })
    }

    /// The names of the members that no object of `type` may lack.
    func required(of type: WireType) -> Set<String> {
        Set(parts(of: type.name).flatMap { $0["required"]?.strings ?? [] })
    }

    /// The definition `name`, and those whose members its objects have beside their own.
    private func parts(of name: String) -> [JSONValue] {
        guard let definition = definitions[name] else { return [] }
        let references = (definition["allOf"]?.elements ?? []).compactMap { $0["$ref"]?.string }
        return [definition] + references.flatMap { parts(of: String($0.trimmingPrefix("#/$defs/"))) }
    }
}
