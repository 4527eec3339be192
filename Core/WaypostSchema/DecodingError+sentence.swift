extension DecodingError {
    /// A human-readable sentence that says what is wrong with the document and in which field.
    public var sentence: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.place(context.codingPath + [key])) is required"
        case .valueNotFound(_, let context):
            "\(Self.place(context.codingPath)) must not be null"
        case .typeMismatch(let type, let context):
            "\(Self.place(context.codingPath)) must be \(Self.name(of: type))"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            context.debugDescription
        case .dataCorrupted(let context):
            "\(Self.place(context.codingPath)): \(context.debugDescription)"
        @unknown default:
            String(describing: self)
        }
    }

    private static func place(_ keys: [any CodingKey]) -> String {
        let path = keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.isEmpty ? "the document" : "'\(path)'"
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is any FixedWidthInteger.Type: "a whole number"
        case is Double.Type: "a number"
        case is Bool.Type: "true or false"
        case is [Any].Type: "a list"
        case is [String: Any].Type: "an object"
        default: "a \(type)"
        }
    }
}
