internal import JSONScanning
package import WaypostSchema
internal import Yams

/// A file that a person wrote, which its schema accepts.
package struct SchemaFile {
    /// The text.
    package let text: FileText

    /// The content, in which a reader may replace names of files with their contents.
    package var value: JSONValue

    /// The reader, which records further problems.
    package var reader: SchemaReader

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - schema: the schema of its kind.
    ///   - kind: the kind, or `nil` if the root of the file need not be an object.
    ///   - name: the content in messages, such as `the stack`.
    /// - Throws: `FileFindings` with all problems and their places.
    package init(
        _ path: String,
        _ schema: FileSchema,
        as kind: FileText.Kind? = nil,
        called name: String
    ) throws(FileFindings) {
        try self.init(FileText(file: path, as: kind), schema, called: name)
    }

    /// Reads a text.
    package init(_ text: FileText, _ schema: FileSchema, called name: String) throws(FileFindings) {
        var reader = SchemaReader(schema, file: text.file, variables: nil, check: QuantityText.problem)
        let value = reader.read(text.root, as: schema.root, called: name)
        guard let value, reader.findings.isEmpty else { throw FileFindings(reader.findings) }
        (self.text, self.value, self.reader) = (text, value, reader)
    }

    /// Returns the content as a type.
    ///
    /// - Throws: `FileFindings` with the place of the value that the type does not accept.
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(FileFindings) -> Value {
        do {
            return try DocumentDecoder.decode(type, from: value.node)
        } catch {
            var reader = reader
            reader.report(error, at: text.root)
            throw FileFindings(reader.findings)
        }
    }

    /// Records a problem at the value to which keys lead, or at the nearest value around it.
    package mutating func report(_ message: String, at keys: String...) {
        reader.report(message, at: keys.reduce(text.root) { node, key in node.mapping?[key] ?? node })
    }

    /// Throws the problems that were found after reading, if there are any.
    ///
    /// - Throws: `FileFindings`.
    package func throwProblems() throws(FileFindings) {
        guard reader.findings.isEmpty else { throw FileFindings(reader.findings) }
    }
}
