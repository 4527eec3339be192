internal import ArgumentParser
internal import Scenarios
internal import SchemaFiles

/// The `waypost scenario` commands.
struct ScenarioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario",
        abstract: "Run and record scenarios: tests of devices that read like what a person did.",
        subcommands: [ScenarioRunCommand.self, ScenarioRecordCommand.self],
        defaultSubcommand: ScenarioRunCommand.self
    )
}

/// The scenario files of a command.
struct ScenarioArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Scenario files, or folders of them.", valueName: "path"))
    var paths: [String]

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Set a variable of the scenarios; may be given several times.", valueName: "name=value")
    )
    var variables: [String] = []

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("Use only scenarios with this tag; may be given several times.", valueName: "tag")
    )
    var tags: [String] = []

    func validate() throws {
        try Self.validate(variables)
    }

    /// Checks the values of `--set`.
    ///
    /// - Throws: `ValidationError` that names one without an equals sign.
    static func validate(_ variables: [String]) throws {
        for variable in variables where !variable.contains("=") {
            throw ValidationError("--set \(variable): write name=value")
        }
    }

    /// Returns the variables that values of `--set` set; the last value of each counts.
    static func values(of variables: [String]) -> [String: String] {
        let nameValuePairs = variables.map { variable in
            let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]))
        }
        return Dictionary(nameValuePairs, uniquingKeysWith: { _, last in last })
    }

    /// Returns the scenarios.
    ///
    /// - Throws: `FileFindings` with all problems of all files.
    func scenarios() throws -> [Scenario] {
        let loader = ScenarioLoader(try FileSchema.scenario(), variables: Self.values(of: variables))
        var scenarios: [Scenario] = []
        var findings: [FileFinding] = []
        for path in paths {
            findings += FileFindings.findings { () throws(FileFindings) in
                for file in try ScenarioFiles.files(at: path) {
                    findings += FileFindings.findings { () throws(FileFindings) in
                        do throws(FileFindings) {
                            scenarios += try loader.scenarios(in: file)
                        } catch {
                            throw CheckedKind.scenario.explaining(error, of: file)
                        }
                    }
                }
            }
        }
        guard findings.isEmpty else { throw FileFindings(findings) }
        guard !tags.isEmpty else { return scenarios }
        let taggedScenarios = scenarios.filter { !Set($0.tags).isDisjoint(with: tags) }
        guard taggedScenarios.isEmpty else { return taggedScenarios }
        let availableTags = Set(scenarios.flatMap(\.tags)).sorted().joined(separator: ", ")
        throw CommandFailure.unusable(
            "no scenario has the tag \(tags.joined(separator: " or ")); "
                + (availableTags.isEmpty ? "there are no tags" : "tags: \(availableTags)")
        )
    }
}
