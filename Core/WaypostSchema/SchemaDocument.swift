/// The JSON Schema (2020-12) of everything that Waypost writes and reads in JSON.
public enum SchemaDocument {
    /// The document's text, in UTF-8.
    public static var text: String {
        String(decoding: PackageResources.schema_v1_json, as: UTF8.self)
    }
}
