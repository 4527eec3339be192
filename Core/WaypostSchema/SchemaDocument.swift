/// The JSON Schema (2020-12) of all JSON that Waypost writes and reads.
public enum SchemaDocument {
    /// The schema document, in UTF-8.
    public static var text: String {
        String(decoding: PackageResources.schema_v1_json, as: UTF8.self)
    }
}
