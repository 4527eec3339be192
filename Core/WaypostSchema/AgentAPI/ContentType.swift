/// The type of a field of a Live Activity: a text such as `Int?`, or an object for a type with parts.
public indirect enum ContentType: Sendable, Equatable {
    /// A type as it is written in Swift.
    case named(SwiftType)

    /// A structure, an enumeration, or a list of them.
    case structure(ContentStructure)
}

extension ContentType: Codable {
    /// Parses a text or an object.
    ///
    /// - Throws: `DecodingError` if a text is not a type, or an object is not a structure.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = try? container.decode(String.self) else {
            self = .structure(try ContentStructure(from: decoder))
            return
        }
        guard let type = SwiftType(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: SwiftType.problem(with: text))
        }
        self = .named(type)
    }

    /// Writes the text or the object.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .named(let type):
            var container = encoder.singleValueContainer()
            try container.encode(type.description)
        case .structure(let structure): try structure.encode(to: encoder)
        }
    }
}

extension ContentType {
    /// Whether the field may be missing or `null`.
    public var isOptional: Bool {
        switch self {
        case .named(.optional): true
        case .named: false
        case .structure(let structure): structure.isOptional ?? false
        }
    }
}
