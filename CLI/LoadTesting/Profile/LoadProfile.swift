internal import CCommandFiles
internal import Fleets
internal import Foundation
package import SchemaFiles
internal import WaypostSchema
internal import Yams

/// A load test as a file in YAML or JSON: its keys are the options of the command line.
package struct LoadProfile: Sendable {
    /// The settings.
    package let options: LoadOptions

    /// The schema of profiles, and that of the behavior files to which they refer.
    package struct Schema: Sendable {
        /// The schema of profiles.
        package let profile: FileSchema

        let behavior: FileSchema

        /// Parses the schemas.
        ///
        /// - Throws: `JSONError` if one of them is damaged.
        package init() throws {
            behavior = try FleetBehavior.schema()
            profile = try FileSchema(embedded: waypost_load_schema, including: ["FleetBehavior": behavior])
        }
    }

    /// Reads a profile, and checks every key and value.
    ///
    /// - Parameters:
    ///   - file: the path of a YAML or JSON file.
    ///   - schema: the schema of profiles.
    /// - Throws: `FileFindings` with all problems and their places.
    package init(file: String, _ schema: Schema) throws(FileFindings) {
        let kind = FileText.Kind(sentence: "a profile of a load test is an object with 'rate' and 'devices'")
        let text = try FileText(file: file, as: kind)
        var reader = SchemaReader(schema.profile, file: file, variables: nil, check: QuantityText.problem)
        let value = reader.read(text.root, as: schema.profile.root, called: "the profile")
        guard let value, reader.findings.isEmpty else { throw FileFindings(reader.findings) }
        var options = LoadOptions()
        for option in LoadOption.allCases {
            guard let optionValue = value[option.rawValue] else { continue }
            switch (option, optionValue) {
            case (.behavior, .object):
                if let node = text.root[option.rawValue] {
                    options.behavior = FleetBehavior(optionValue, at: node, &reader)
                }
            case (.behavior, _):
                // A separate file reports its own problems.
                options.behavior = try FleetBehavior(
                    file: Self.path(optionValue.plainText, besides: file),
                    schema.behavior
                )
            case (.rates, _): options.texts[option] = [Self.path(optionValue.plainText, besides: file)]
            case (_, .array(let elements)): options.texts[option] = elements.map(\.plainText)
            default: options.texts[option] = [optionValue.plainText]
            }
        }
        if options.texts[.name] == nil {
            options.texts[.name] = [URL(filePath: file).deletingPathExtension().lastPathComponent]
        }
        do throws(LoadOptions.Problem) {
            _ = try LoadSettings(options)
        } catch {
            let key = error.option.rawValue
            reader.note("'\(key)': \(error.message)", at: text.root[key] ?? text.root)
        }
        guard reader.findings.isEmpty else { throw FileFindings(reader.findings) }
        self.options = options
    }

    private static func path(_ path: String, besides file: String) -> String {
        URL(filePath: path, relativeTo: URL(filePath: file).deletingLastPathComponent()).path
    }
}
