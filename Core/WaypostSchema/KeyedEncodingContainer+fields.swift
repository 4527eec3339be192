extension KeyedEncodingContainer {
    /// Writes fields in order; a field without a value is omitted.
    mutating func encode(_ fields: KeyValuePairs<Key, (any Encodable)?>) throws {
        for (field, value) in fields {
            if let value { try encode(value, forKey: field) }
        }
    }
}
