internal import CFileSchemas
package import SchemaFiles

extension FileSchema {
    /// Returns the schema of scenario files.
    ///
    /// - Throws: `JSONError` if it is damaged.
    package static func scenarios() throws -> Self {
        try Self(embedded: waypost_scenario_schema)
    }
}

extension FileText.Kind {
    static let scenario = Self(sentence: "a scenario is an object with 'name', 'devices' and 'steps'")
    static let included = Self(sentence: "an included file is an object with 'variables', 'devices' or 'steps'")
    static let device = Self(sentence: "a device file is an object with 'name' and 'apps'")
    static let step = Self("line", sentence: "a line is an object with 'id' and an action, such as 'open', or 'expect'")
}

extension SchemaReader {
    /// Creates a reader of a file of a scenario, with the names that the scenario declares.
    init(_ schema: FileSchema, file: String, variables: [String: String]? = [:], names: ScenarioNames = .init()) {
        self.init(schema, file: file, variables: variables) { form, text in
            TextKind(rawValue: form)?.problem(of: text, names)
        }
    }
}
