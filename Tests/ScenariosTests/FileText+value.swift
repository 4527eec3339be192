import SchemaFiles
import WaypostSchema

extension FileText {
    /// The value, as a schema that accepts everything reads it.
    var value: JSONValue? {
        let schema = FileSchema(root: .object([:]))
        var reader = SchemaReader(schema, file: file, variables: nil) { _, _ in nil }
        return reader.read(root, as: schema.root, called: "the value")
    }
}
