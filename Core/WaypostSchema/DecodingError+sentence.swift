extension DecodingError {
    /// What is wrong with the document, and at which field, for a person.
    public var sentence: String {
        switch self {
        case .keyNotFound(let key, let context):
            "'\(Self.path(context.codingPath + [key]))' is required"
        case .valueNotFound(_, let context):
            "'\(Self.path(context.codingPath))' must not be null"
        case .typeMismatch(let type, let context):
            "'\(Self.path(context.codingPath))' must be \(Self.name(of: type))"
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            Self.reason(of: context)
        case .dataCorrupted(let context):
            "'\(Self.path(context.codingPath))': \(Self.reason(of: context))"
        @unknown default:
            String(describing: self)
        }
    }

    /// The underlying error says where the document stops being what it should be; the context seldom does.
    private static func reason(of context: Context) -> String {
        guard let underlying = context.underlyingError else { return context.debugDescription }
        let description = String(describing: underlying)
        // Foundation wraps its reason in the description of an NSError.
        guard let start = description.range(of: "NSDebugDescription=")?.upperBound,
            let end = description[start...].firstIndex(of: "}")
        else { return description }
        return String(description[start..<end])
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        let path = keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.isEmpty ? "the document" : path
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Int.Type: "a whole number"
        case is Bool.Type: "true or false"
        case is [Any].Type: "a list"
        case is [String: Any].Type: "an object"
        default: "a \(type)"
        }
    }
}

extension String {
    /// The range of the first occurrence of `text`; Foundation, which has this too, is not needed for it.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            formIndex(after: &start)
        }
        return nil
    }
}
