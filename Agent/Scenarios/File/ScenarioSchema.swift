internal import CFileSchemas
internal import DeviceFiles
package import SchemaFiles

extension FileSchema {
    /// Returns the schema of scenario files, with those of the device files and app files to which they refer.
    ///
    /// - Throws: `JSONError` if it is damaged.
    package static func scenario() throws -> Self {
        try Self(embedded: waypost_scenario_schema, including: ["AppFile": .app()])
    }
}

extension FileText.Kind {
    static let scenario = Self(hint: "a scenario is an object with 'name', 'devices' and 'steps'")
    static let included = Self(hint: "an included file is an object with 'variables', 'devices' or 'steps'")
    static let step = Self("line", hint: "a line is an object with 'id' and an action, such as 'open', or 'expect'")
}

extension SchemaReader {
    /// Creates a reader of a file of a scenario, with the names that the scenario declares.
    init(_ schema: FileSchema, file: String, variables: [String: String]? = [:], names: ScenarioNames = .init()) {
        self.init(schema, file: file, variables: variables) { form, text in
            StringFormat(rawValue: form)?.problem(of: text, names)
        }
    }
}
