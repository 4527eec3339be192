extension KeyedEncodingContainer {
    /// Writes fields in their order; one without a value is left out.
    mutating func encode(_ fields: KeyValuePairs<Key, (any Encodable)?>) throws {
        for (field, value) in fields {
            if let value { try encode(value, forKey: field) }
        }
    }
}
