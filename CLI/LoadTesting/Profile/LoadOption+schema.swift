internal import Fleets
package import SchemaFiles
internal import WaypostSchema

extension FileSchema {
    /// Returns the schema of profiles, and of the behavior files to which they refer.
    ///
    /// - Throws: `JSONError` if that of behavior files is damaged.
    package static func loadProfile() throws -> Self {
        let properties = LoadOption.allCases.map { ($0.rawValue, JSONValue.object($0.schema)) }
        let root = JSONValue.object([
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
            "title": .string("A profile of a load test"),
            "type": .string("object"),
            "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
            "additionalProperties": .bool(false),
        ])
        return try Self(root, including: ["FleetBehavior": .fleet()])
    }
}

extension LoadOption {
    /// The schema of the option's value in a profile.
    fileprivate var schema: [String: JSONValue] {
        var schema = declaration.form.schema
        schema["description"] = .string(declaration.summary)
        return schema
    }
}

extension LoadOption.Form {
    fileprivate var schema: [String: JSONValue] {
        switch self {
        case .flag: ["type": .string("boolean")]
        case .string: Self.nonEmptyString
        case .choice(let words): ["enum": .array(words.map(JSONValue.string))]
        case .integer(let range):
            ["type": .string("integer"), "minimum": .integer(range.lowerBound)].merging(
                range.upperBound == .max ? [:] : ["maximum": .integer(range.upperBound)]
            ) { own, _ in own }
        case .number: ["type": .string("number")]
        case .numbers: ["type": .array(["string", "integer", "number"].map(JSONValue.string))]
        case .duration: Self.string("duration")
        case .share: Self.string("share")
        case .path: Self.string("path")
        case .behavior:
            ["anyOf": .array([.object(Self.string("path")), .object(["$ref": .string("#/$defs/FleetBehavior")])])]
        case .list: ["type": .string("array"), "items": .object(Self.nonEmptyString)]
        }
    }

    private static let nonEmptyString: [String: JSONValue] = ["type": .string("string"), "minLength": .integer(1)]

    private static func string(_ form: String) -> [String: JSONValue] {
        ["type": .string("string"), "x-text": .string(form)]
    }
}
