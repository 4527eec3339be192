internal import ArgumentParser
internal import Foundation
internal import JSONScanning
internal import LoadTesting
internal import SchemaFiles
internal import WaypostSchema

/// The `waypost load` command: load tests of a gateway, with devices that receive.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load a gateway, and prove with receiving devices that nothing was lost.",
        subcommands: [
            LoadRunCommand.self, LoadReportCommand.self, LoadCompareCommand.self,
            LoadMergeCommand.self, LoadTargetsCommand.self,
        ],
        defaultSubcommand: LoadRunCommand.self
    )
}

/// The `waypost load report` command.
struct LoadReportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write a result as an HTML page, or as HdrHistogram's percentile text."
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case html
        case percentiles
    }

    @Option(help: "The format.")
    var format = Format.html

    @Argument(help: "The result in JSON.")
    var result: String

    func perform() async throws {
        let result = try LoadResultFile.read(result)
        switch format {
        case .html: try StandardOutput.write(LoadReport(result).html)
        case .percentiles: try StandardOutput.write(result.percentileText)
        }
    }
}

/// The `waypost load merge` command.
struct LoadMergeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Add up the results of load tests that ran at the same time."
    )

    @Argument(help: "The results in JSON.")
    var results: [String]

    func perform() async throws {
        let results = try results.map(LoadResultFile.read)
        guard let merged = LoadResult(merging: results) else {
            throw CommandFailure.unusable("give at least one result")
        }
        try StandardOutput.write(JSONOutput.document(merged) + "\n")
    }
}

/// The `waypost load compare` command.
struct LoadCompareCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two results, and exit with 1 if the second one is worse.",
        discussion: """
            A figure is worse if it differs by more than --tolerance, and by more than the seconds of both runs differ \
            among themselves (95% confidence).
            """
    )

    @Option(help: ArgumentHelp("The difference that is accepted, in percent.", valueName: "percent"))
    var tolerance = 5.0

    @Argument(help: "The result before.")
    var before: String

    @Argument(help: "The result after.")
    var after: String

    func perform() async throws {
        let comparison = LoadComparison(
            try LoadResultFile.read(before),
            try LoadResultFile.read(after),
            tolerance: tolerance / 100
        )
        try StandardOutput.write(comparison.table + "\n")
        if comparison.isWorse { throw CommandFailure.failed("the second result is worse") }
    }
}

/// A result of a load test in a file.
enum LoadResultFile {
    static func read(_ path: String) throws -> LoadResult {
        let input = InputFile(path: path)
        let bytes = try input.readToEnd()
        if let error = JSONError.first(in: bytes) {
            throw CommandFailure.unusable("\(input.name):\(error.place(in: bytes)): not JSON: \(error)")
        }
        do {
            return try LoadResult(json: bytes)
        } catch {
            throw CommandFailure.unusable(
                "\(input.name): is no result of a load test: \(DecodingError.sentence(of: error))"
            )
        }
    }
}
