internal import ArgumentParser
internal import Fleets
internal import SchemaFiles

/// The `waypost fleet` command: many devices in one process.
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Run thousands of devices in one process.",
        subcommands: [FleetRunCommand.self, FleetCheckCommand.self]
    )
}

/// The `waypost fleet check` command.
struct FleetCheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check files with the behavior of a fleet; each problem has its line and column."
    )

    @Argument(help: "The behavior files.")
    var files: [String]

    func perform() async throws {
        let schema = try FileSchema.fleet()
        try FileCheck.run(files, kind: "behavior") { file throws(FileFindings) in
            _ = try FleetBehavior(file: file, schema)
        }
    }
}
