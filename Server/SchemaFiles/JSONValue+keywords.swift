internal import WaypostSchema

/// The keywords of a JSON Schema that the reader supports.
extension JSONValue {
    static let scalarTypes: Set<String> = ["string", "integer", "number", "boolean"]

    /// The types that a schema accepts; empty for any.
    var types: Set<String> {
        guard let type = self["type"] else { return [] }
        return type.string.map { [$0] } ?? Set(type.elements.compactMap(\.string)).subtracting(["null"])
    }

    /// The schema of further members of an object, or `nil` if there may be none.
    var additionalProperties: JSONValue? {
        switch self["additionalProperties"] {
        case .bool(true): .object([:])
        case .object(let schema): .object(schema)
        case nil where self["properties"] == nil: .object([:])
        default: nil
        }
    }

    /// The names of the required members of an object.
    var requiredKeys: [String] {
        (self["required"]?.elements ?? []).compactMap(\.string)
    }

    /// The names of the required members, for messages.
    func quotedRequiredKeys(_ conjunction: String) -> String {
        requiredKeys.map { "'\($0)'" }.joined(separator: " \(conjunction) ")
    }

    /// Whether a value may be any JSON.
    var acceptsAnything: Bool {
        types.isEmpty && self["anyOf"] == nil && self["enum"] == nil
    }

    /// Returns whether an object has the members that this part of a schema requires, and none that it excludes.
    func matches(_ keys: Set<String>) -> Bool {
        guard keys.isSuperset(of: requiredKeys) else { return false }
        guard let excluded = self["not"] else { return true }
        return !(excluded["anyOf"]?.elements ?? [excluded]).contains { $0.matches(keys) }
    }
}
