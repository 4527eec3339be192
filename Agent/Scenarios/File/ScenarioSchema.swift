internal import JSONScanning
package import WaypostSchema

/// The JSON Schema of scenario files, with which Waypost itself reads them.
///
/// The keyword `x-text` names a form of text that only Waypost checks, such as the name of a device.
package struct ScenarioSchema: Sendable {
    /// The schema of a scenario.
    let scenario: JSONValue

    private let definitions: [String: JSONValue]

    /// Reads the schema inside the program, and the definitions of the wire schema that it uses.
    ///
    /// - Throws: `JSONError` if one of them is damaged.
    package init() throws {
        scenario = try DocumentDecoder.decode(JSONValue.self, from: PackageResources.scenario_schema_json)
        let wire = try DocumentDecoder.decode(JSONValue.self, from: SchemaDocument.text.utf8)
        let own = scenario["$defs"]?.members ?? [:]
        definitions = (wire["$defs"]?.members ?? [:]).merging(own) { _, own in own }
    }

    /// The schema of a file that scenarios include.
    var fragment: JSONValue {
        definitions["Fragment"] ?? .object([:])
    }

    /// The schema of a definition.
    subscript(definition: String) -> JSONValue {
        definitions[definition] ?? .object([:])
    }

    /// Returns a schema with its reference replaced by what it refers to.
    func resolved(_ schema: JSONValue) -> JSONValue {
        guard let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last else {
            return schema
        }
        return resolved(self[String(name)])
    }

    /// The document for editors: it has all definitions that it needs.
    package var document: JSONValue {
        var needed: [String: JSONValue] = [:]
        var pending = [scenario]
        while let next = pending.popLast() {
            for name in next.references where needed[name] == nil {
                needed[name] = self[name]
                pending.append(self[name])
            }
        }
        var members = scenario.members
        members["$defs"] = .object(needed)
        return JSONValue.object(members).forEditors
    }
}

extension JSONValue {
    /// The members of an object; empty for any other value.
    var members: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return members
    }

    /// The elements of an array; empty for any other value.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The number, if the value is a whole one.
    var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The names of the definitions to which a schema refers, in its parts too.
    fileprivate var references: Set<String> {
        switch self {
        case .object(let members):
            members.reduce(into: []) { names, member in
                if member.key == "$ref", let name = member.value.string?.split(separator: "/").last {
                    names.insert(String(name))
                } else if member.key != "$defs" {
                    names.formUnion(member.value.references)
                }
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.references) }
        default: []
        }
    }
}
