extension DecodingError {
    /// A human-readable sentence that says what is wrong with the document and in which field.
    public var sentence: String {
        switch self {
        case .keyNotFound: "\(place) is required"
        case .valueNotFound: "\(place) must not be null"
        case .typeMismatch(let type, _): "\(place) must be \(Self.description(of: type))"
        case .dataCorrupted(let context) where context.codingPath.isEmpty: context.debugDescription
        case .dataCorrupted(let context): "\(place): \(context.debugDescription)"
        @unknown default: String(describing: self)
        }
    }

    /// Returns the sentence of an error that decoding threw, or the description of any other error.
    package static func sentence(of error: any Error) -> String {
        (error as? Self)?.sentence ?? "\(error)"
    }

    /// The keys that lead to the field.
    public var path: [any CodingKey] {
        switch self {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }

    private var place: String {
        let path = path.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.isEmpty ? "the document" : "'\(path)'"
    }

    private static func description(of type: Any.Type) -> String {
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
