/// A type with parts in a Live Activity: a structure, an enumeration of texts, or a list of such values.
///
/// It has exactly one of `fields`, `cases` and `elements`.
public struct ContentStructure: Codable, Sendable, Equatable {
    /// The fields of a structure, by name.
    public var fields: [String: ContentType]?

    /// The raw values of an enumeration of texts.
    public var cases: [String]?

    /// The type of the elements of a list.
    public var elements: ContentType?

    /// Whether the value may be missing or `null`; `false` if absent.
    public var isOptional: Bool?

    /// Creates a structure with these fields.
    public init(fields: [String: ContentType], isOptional: Bool? = nil) {
        self.fields = fields
        self.isOptional = isOptional
    }

    /// Creates an enumeration with these raw values.
    public init(cases: [String], isOptional: Bool? = nil) {
        self.cases = cases
        self.isOptional = isOptional
    }

    /// Creates a list of elements of a type.
    public init(elements: ContentType, isOptional: Bool? = nil) {
        self.elements = elements
        self.isOptional = isOptional
    }

    /// Parses a type with parts.
    ///
    /// - Throws: `DecodingError` unless it has exactly one of `fields`, `cases` and `elements`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        fields = try container.decodeIfPresent([String: ContentType].self, forKey: .fields)
        cases = try container.decodeIfPresent([String].self, forKey: .cases)
        elements = try container.decodeIfPresent(ContentType.self, forKey: .elements)
        isOptional = try container.decodeIfPresent(Bool.self, forKey: .isOptional)
        guard [fields != nil, cases != nil, elements != nil].filter(\.self).count == 1 else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: #"exactly one of "fields", "cases" and "elements" is required"#
            )
            throw DecodingError.dataCorrupted(context)
        }
    }
}
