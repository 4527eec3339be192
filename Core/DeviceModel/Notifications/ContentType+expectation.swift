internal import FoundationEssentials
internal import WaypostSchema

/// The values of each type in JSON, as `JSONDecoder` decodes them by default.
extension SwiftType.Name {
    /// Returns whether a value decodes.
    func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.anything, _), (.string, .string), (.bool, .bool), (.int, .integer): true
        case (.double, _), (.date, _): value.number?.isFinite ?? false
        // A URL percent-encodes the characters that it may not contain.
        case (.url, .string(let text)): !text.isEmpty
        case (.uuid, .string(let text)): UUID(uuidString: text) != nil
        case (.data, .string(let text)): Data(base64Encoded: text) != nil
        default: false
        }
    }

    /// The name, with the values that decode.
    var expectation: String {
        switch self {
        case .string: "String, a text"
        case .int: "Int, a whole number"
        case .double: "Double, a number"
        case .bool: "Bool, true or false"
        case .date: "Date, which is a number of seconds since 2001 by Swift's default date strategy"
        case .url: "URL, a text"
        case .uuid: "UUID, a text"
        case .data: "Data, a text in Base64"
        case .anything: "any value"
        }
    }
}

extension ContentStructure {
    /// The values that decode.
    var expectation: String {
        if let cases { return "one of \(cases.joined(separator: ", "))" }
        return fields == nil ? "a list" : "an object"
    }
}

extension ContentType {
    /// The values that decode, for a field that is missing.
    var expectation: String {
        switch self {
        case .named(.name(let name)): name.expectation
        case .named(let type): "\(type)"
        case .structure(let structure): structure.expectation
        }
    }
}
