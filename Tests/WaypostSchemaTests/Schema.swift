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
        Set((definitions[type.name]?["properties"]?.members ?? [:]).keys)
    }

    /// The names of the members that no object of `type` may lack.
    func required(of type: WireType) -> Set<String> {
        Set(definitions[type.name]?["required"]?.strings ?? [])
    }
}
