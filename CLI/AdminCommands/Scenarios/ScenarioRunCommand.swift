internal import ArgumentParser
internal import Attribution
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import Scenarios
internal import SchemaFiles
internal import Synchronization
internal import TextBasics
internal import WaypostSchema

/// The `waypost scenario run` command.
struct ScenarioRunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run scenarios, and explain each expectation that is not met.",
        discussion: """
            Each scenario gets a gateway and agents of its own, as processes on free ports, which end with it. If \
            --gateway, --ready-file, the environment or a context names a gateway, the scenarios use that one, each in \
            a namespace of its own, and its console shows the run. Exits with 1 if a scenario failed, and with 2 if a file cannot be used.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        /// A line for each step, and the explanation of each failure.
        case story

        /// One JSON value per step and per scenario.
        case jsonl

        init?(argument: String) {
            // The text for people is 'table' in most commands.
            self.init(rawValue: argument == "table" ? "story" : argument)
        }
    }

    @OptionGroup var arguments: ScenarioArguments

    @Option(help: ArgumentHelp("Run this many scenarios at the same time.", valueName: "count"))
    var jobs = 1

    @Option(help: "The output format (default: story on a terminal, otherwise jsonl).")
    var format: Format?

    @Option(help: ArgumentHelp("Write the results to this file, in the XML format of JUnit.", valueName: "file"))
    var junit: String?

    @Option(
        help: ArgumentHelp(
            "Keep the logs, journals and pictures of all runs in this folder (default: those of failures, in a "
                + "temporary folder).",
            valueName: "folder"
        )
    )
    var keep: String?

    @Flag(help: "Write what happened into the files instead of expectations that are not met.")
    var update = false

    @Flag(help: "Run the scenarios again whenever one of their files changes.")
    var watch = false

    @OptionGroup(title: "Gateway") var gateway: OptionalGatewayOptions

    @OptionGroup var console: ConsoleOption

    func validate() throws {
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs \(jobs): use a number from 1 to 64") }
        guard gateway.named.namespace == nil else {
            throw ValidationError("--namespace cannot be used here: each scenario has a namespace of its own")
        }
    }

    func perform() async throws {
        if let junit { try OutputFile.prepare(junit) }
        let command = self
        try await InterruptibleRun.run {
            guard command.watch else { return try await command.runOnce() }
            try await command.runAtEachChange()
        }
    }

    private func runOnce() async throws {
        guard try await run(try arguments.scenarios()) else { throw CommandFailure.failed() }
    }

    /// Runs the scenarios, and again when a file has changed, until the command is interrupted.
    private func runAtEachChange() async throws {
        var files = Set(arguments.paths)
        while true {
            var datesBefore = ModificationDates(files)
            do {
                let scenarios = try arguments.scenarios()
                files = scenarios.reduce(into: files) { $0.formUnion($1.sources) }
                // A file may change while the scenarios run.
                datesBefore = ModificationDates(files)
                _ = try await run(scenarios)
            } catch let error as FileFindings {
                StandardError.write(error.description)
                files.formUnion(error.findings.map(\.place.file))
                datesBefore = ModificationDates(files)
            }
            StandardError.write("watching \(files.count == 1 ? "1 file" : "\(files.count) files"); Ctrl-C ends")
            // The system has no way to wait for changes of files that works for every file system.
            while ModificationDates(files) == datesBefore { try await Task.sleep(for: .milliseconds(200)) }
        }
    }

    /// Runs scenarios, and returns whether all passed and all updates were written.
    private func run(_ scenarios: [Scenario]) async throws -> Bool {
        let folder =
            keep.map { URL(filePath: $0) }
            ?? FileManager.default.temporaryDirectory.appending(path: "waypost-scenarios-\(UUID().uuidString)")
        // `rmdir` removes the folder only if it is empty, that is, if no scenario failed.
        defer { rmdir(folder.path) }
        let location = try gateway.location()
        let runner = ScenarioRunner(
            gateway: location.map(GatewayEndpoints.init),
            jobs: jobs,
            folder: folder,
            keepsEverything: keep != nil,
            updatesExpectations: update
        )
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let output = ScenarioOutput(format ?? (isTerminal ? .story : .jsonl), isTerminal: isTerminal)
        let results = try await console.withReporter(
            for: .scenarios,
            named: name,
            on: location.map { ConsoleOption.Gateway(service: $0.service, token: $0.token) },
            outcome: Self.outcome
        ) { reporter in
            let results = try await runner.run(scenarios) { progress in
                output.write(progress)
                if let event = RunEvent(progress) { reporter.report(event) }
            }
            reporter.report(.note(ScenarioReport.summary(results)))
            return results
        }
        try output.finish(results)
        let failedUpdates = update ? try ScenarioUpdate.write(results) : []
        for line in failedUpdates { StandardError.write("not updated: \(line)") }
        if let junit { try OutputFile.write(Data(JUnitReport.text(results).utf8), to: URL(filePath: junit)) }
        return failedUpdates.isEmpty && Self.outcome(of: results) == .passed
    }

    private static func outcome(of results: [ScenarioResult]) -> RunOutcome {
        RunOutcome(hasPassed: results.allSatisfy(\.isPassed))
    }

    /// The name of the run: its only file or folder, or the number of files.
    private var name: String {
        guard let path = arguments.paths.first, arguments.paths.count == 1 else {
            return "\(arguments.paths.count) files"
        }
        return URL(filePath: path).lastPathComponent
    }
}

extension GatewayEndpoints {
    fileprivate init(_ location: GatewayOptions.Location) {
        if let ready = location.readyFile {
            self.init(ready, adminToken: location.token)
        } else {
            self.init(service: location.service, adminToken: location.token)
        }
    }
}

/// The modification dates of files.
private struct ModificationDates: Equatable {
    private let dates: [String: Date]

    init(_ files: Set<String>) {
        var dates: [String: Date] = [:]
        for file in files {
            dates[file] = try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        }
        self.dates = dates
    }
}

/// The output of a run.
private final class ScenarioOutput: Sendable {
    private let format: ScenarioRunCommand.Format
    private let isTerminal: Bool
    private let failure = Mutex<(any Error)?>(nil)

    init(_ format: ScenarioRunCommand.Format, isTerminal: Bool) {
        self.format = format
        self.isTerminal = isTerminal
    }

    /// Writes the progress of a run.
    func write(_ progress: ScenarioRunner.Progress) {
        do {
            switch (format, progress) {
            case (.jsonl, .scenarioEnded(let result)): try StandardOutput.write(StepLines.text(result))
            case (.jsonl, _): break
            case (.story, .scenarioStarted(let name)): try StandardOutput.write("\(name.safe(for: .terminal))\n")
            // The line is replaced when the step ends.
            case (.story, .stepStarted(let text)):
                if isTerminal { try StandardOutput.write("  … \(text.safe(for: .terminal))") }
            case (.story, .stepEnded(let step)):
                try StandardOutput.write(clearSequence + ScenarioReport.text(step) + "\n")
            case (.story, .scenarioEnded(let result)):
                if let ending = ScenarioReport.ending(result) {
                    try StandardOutput.write(clearSequence + ending + "\n")
                }
            }
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }

    /// The control characters that clear the current line of a terminal.
    private var clearSequence: String {
        isTerminal ? "\r\u{1B}[K" : ""
    }

    /// Writes the last line.
    ///
    /// - Throws: the error of an earlier line that could not be written.
    func finish(_ results: [ScenarioResult]) throws {
        if let error = failure.withLock(\.self) { throw error }
        if format == .story { try StandardOutput.write(ScenarioReport.summary(results) + "\n") }
    }
}
