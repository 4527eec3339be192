/// A kind, which is written as `type`, and the fields that are written next to it, in order.
///
/// A field without a value is omitted.
typealias TaggedValues<Kind, Field: CodingKey> = (kind: Kind, fields: KeyValuePairs<Field, (any Encodable)?>)

/// The key of an object's kind.
private enum TypeKey: String, CodingKey {
    case type
}

/// The fields of an object whose `type` is its kind.
struct TaggedFields<Field: CodingKey> {
    /// The decoder of the object.
    let decoder: any Decoder

    private let container: KeyedDecodingContainer<Field>

    /// Creates the fields of the object that `decoder` decodes.
    init(_ decoder: any Decoder) throws {
        self.decoder = decoder
        container = try decoder.container(keyedBy: Field.self)
    }

    /// Returns the object's kind.
    func kind<Kind: StringEnum>() throws -> Kind {
        try decoder.container(keyedBy: TypeKey.self).decode(Kind.self, forKey: .type)
    }

    /// Returns the value of a field.
    func read<Value: Decodable>(_ field: Field) throws -> Value {
        try container.decode(Value.self, forKey: field)
    }

    /// Returns the value of a field, or `nil` if the object does not have the field.
    func readIfPresent<Value: Decodable>(_ field: Field) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: field)
    }

    /// Returns the error that a field has an invalid value.
    func error(at field: Field, _ message: String) -> DecodingError {
        .dataCorruptedError(forKey: field, in: container, debugDescription: message)
    }
}

extension Encoder {
    /// Writes an object: its kind, and then its fields.
    func encode<Kind: StringEnum, Field: CodingKey>(_ taggedValues: TaggedValues<Kind, Field>) throws {
        var kindContainer = container(keyedBy: TypeKey.self)
        try kindContainer.encode(taggedValues.kind, forKey: .type)
        var fieldContainer = container(keyedBy: Field.self)
        for (field, value) in taggedValues.fields {
            if let value { try fieldContainer.encode(value, forKey: field) }
        }
    }
}
