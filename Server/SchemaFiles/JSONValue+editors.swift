internal import WaypostSchema

extension JSONValue {
    /// The schema for editors, which accepts what `SchemaReader` accepts.
    ///
    /// The reader refuses unknown keys and null, which the wire schema allows; it accepts numbers as texts, and a text
    /// with variables wherever their values fit.
    var editorSchema: JSONValue {
        var members = members
        for keyword in ["properties", "$defs"] {
            members[keyword] = members[keyword].map { .object($0.members.mapValues(\.editorSchema)) }
        }
        for keyword in ["anyOf", "oneOf"] {
            members[keyword] = members[keyword].map { alternatives in
                .array(alternatives.elements.filter { $0["type"] != .string("null") }.map(\.editorSchema))
            }
        }
        members["items"] = members["items"]?.editorSchema
        if case .object? = members["additionalProperties"] {
            members["additionalProperties"] = members["additionalProperties"]?.editorSchema
        } else if members["properties"] != nil, members["additionalProperties"] != .bool(true) {
            members["additionalProperties"] = .bool(false)
        }
        Self.acceptTexts(&members)
        return .object(members)
    }

    /// Changes a schema of a scalar into one that also accepts a variable, or a number as a text.
    private static func acceptTexts(_ members: inout [String: JSONValue]) {
        let type = members["type"]
        let types = (type?.string.map { [$0] } ?? (type?.elements ?? []).compactMap(\.string)).filter { $0 != "null" }
        if let values = members.removeValue(forKey: "enum")?.elements {
            members["type"] = nil
            let quoted = values.compactMap { $0.integer.map { JSONValue.string("\($0)") } }
            members["anyOf"] = .array([.object(["enum": .array(values + quoted)]), variable])
        } else if types == ["string"] {
            members["type"] = .array(["string", "number", "boolean"].map(JSONValue.string))
        } else if let type = types.first, types.count == 1, ["integer", "number", "boolean"].contains(type) {
            var own: [String: JSONValue] = ["type": .string(type)]
            for keyword in ["minimum", "maximum"] { own[keyword] = members.removeValue(forKey: keyword) }
            members["type"] = nil
            members["anyOf"] = .array([.object(own), variable])
        } else if !types.isEmpty {
            members["type"] = types.count == 1 ? .string(types[0]) : .array(types.map(JSONValue.string))
        }
    }

    /// The schema of a text with a variable.
    private static let variable = JSONValue.object(["type": .string("string"), "pattern": .string("\\$\\{")])
}
