import WaypostSchema
import WireTypes

/// The schema as a JSON tree.
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

    /// Returns the names of the definitions for which `condition` is true, in order.
    func names(where condition: (JSONValue) -> Bool) -> [String] {
        definitions.filter { condition($0.value) }.keys.sorted()
    }

    /// Returns the names of the members of the objects of `type`.
    func properties(of type: WireType) -> Set<String> {
        Set(parts(of: type.name).flatMap { ($0["properties"]?.members ?? [:]).keys })
    }

    /// Returns the names of the required members of `type`.
    func required(of type: WireType) -> Set<String> {
        Set(parts(of: type.name).flatMap { $0["required"]?.strings ?? [] })
    }

    /// Returns the definition `name`, and the definitions whose members its objects also have.
    private func parts(of name: String) -> [JSONValue] {
        guard let definition = definitions[name] else { return [] }
        let references = (definition["allOf"]?.elements ?? []).compactMap { $0["$ref"]?.string }
        return [definition] + references.flatMap { parts(of: String($0.trimmingPrefix("#/$defs/"))) }
    }
}
