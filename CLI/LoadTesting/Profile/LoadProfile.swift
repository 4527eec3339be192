internal import Fleets
internal import Foundation
package import SchemaFiles
internal import WaypostSchema
internal import Yams

/// A load test as a file in YAML or JSON: its keys are the options of the command line.
package struct LoadProfile: Sendable {
    /// The settings.
    package let options: LoadOptions

    /// Reads a profile, and checks every key and value.
    ///
    /// - Parameters:
    ///   - file: the path of a YAML or JSON file.
    ///   - schema: the schema of profiles.
    /// - Throws: `FileFindings` with all problems and their places.
    package init(file: String, _ schema: FileSchema) throws(FileFindings) {
        let kind = FileText.Kind(hint: "a profile of a load test is an object with 'rate' and 'devices'")
        var content = try SchemaFile(file, schema, as: kind, called: "the profile")
        let value = content.value
        var options = LoadOptions()
        for option in LoadOption.allCases {
            guard let optionValue = value[option.rawValue] else { continue }
            switch (option, optionValue) {
            case (.behavior, .object):
                if let node = content.text.root[option.rawValue] {
                    options.behavior = FleetBehavior(optionValue, at: node, &content.reader)
                }
            case (.behavior, _):
                // A separate file reports its own problems.
                options.behavior = try FleetBehavior(
                    file: FileText.path(optionValue.plainText, relativeTo: file),
                    schema.rooted(at: "FleetBehavior")
                )
            case (.rates, _), (.key, _), (.payloadFile, _):
                options.strings[option] = [FileText.path(optionValue.plainText, relativeTo: file)]
            case (_, .array(let elements)): options.strings[option] = elements.map(\.plainText)
            default: options.strings[option] = [optionValue.plainText]
            }
        }
        if options.strings[.name] == nil {
            options.strings[.name] = [URL(filePath: file).deletingPathExtension().lastPathComponent]
        }
        do throws(LoadOptions.Problem) {
            _ = try LoadSettings(options)
        } catch {
            let key = error.option.rawValue
            content.report("'\(key)': \(error.message)", at: key)
        }
        try content.throwProblems()
        self.options = options
    }
}
