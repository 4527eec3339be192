package import SchemaFiles
internal import WaypostSchema
internal import Yams

/// A settings file: YAML, each name with its value.
///
/// The file is read only once, so it may be a pipe.
struct SettingsFile {
    /// The values, as text.
    private(set) var values: [Setting: String] = [:]

    /// The problems with the file.
    private(set) var problems: [SettingProblem] = []

    private var places: [Setting: SourcePlace] = [:]

    /// Reads a file; errors are reported in `problems`.
    init(path: String) {
        do throws(FileFindings) {
            let text = try FileText(file: path)
            // An empty file sets nothing.
            guard !text.root.isWithoutValue else { return }
            var reader = SchemaReader(Setting.nameSchema, file: path, variables: nil) { _, _ in nil }
            _ = reader.read(text.root, as: Setting.nameSchema.root, called: "the settings")
            add(reader.findings)
            // The values are checked too, so that all problems are reported at once.
            for setting in Setting.allCases {
                guard let node = text.root[setting.rawValue], let scalar = node.scalar, !node.isWithoutValue else {
                    continue
                }
                values[setting] = scalar.string
                places[setting] = reader.place(of: node)
            }
        } catch {
            add(error.findings)
        }
    }

    private mutating func add(_ findings: [FileFinding]) {
        problems += findings.map { SettingProblem(place: "\($0.place)", message: $0.message, isInFile: true) }
    }

    /// Returns the place of a setting in the file; `nil` if the file does not contain it.
    func place(of setting: Setting) -> String? {
        places[setting].map(\.description)
    }
}

extension Setting {
    /// The schema of settings files, which `gateway-schema.json` is a copy of.
    package static let schema = Self.makeSchema { setting in
        var members: [String: JSONValue] = [
            "type": .string(setting.valueName == nil ? "boolean" : "string"), "description": .string(setting.summary),
        ]
        if let values = setting.acceptedValues { members["enum"] = .array(values.map(JSONValue.string)) }
        return .object(members)
    }

    /// The schema that accepts any scalar, because values are checked in the same way for all sources.
    fileprivate static let nameSchema = Self.makeSchema { _ in .object(["type": .string("string")]) }

    private static func makeSchema(ofValues valueSchema: (Self) -> JSONValue) -> FileSchema {
        FileSchema(
            root: .object([
                "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
                "title": .string("The settings of waypost-gateway"),
                "type": .string("object"),
                "properties": .object(
                    Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, valueSchema($0)) })
                ),
            ])
        )
    }
}
