internal import CSchemaDocument

/// The JSON Schema (2020-12) of all JSON that Waypost writes and reads.
public enum SchemaDocument {
    /// The schema document, in UTF-8.
    public static var text: String {
        var count = 0
        let document = waypost_schema_document(&count)
        return String(decoding: UnsafeBufferPointer(start: document, count: count), as: UTF8.self)
    }
}
