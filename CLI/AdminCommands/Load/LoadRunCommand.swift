internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import LoadTesting
internal import LocalService
internal import SchemaFiles
internal import UnixSignals
internal import WaypostSchema

/// The `waypost load run` command.
struct LoadRunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Load a gateway as a schedule says, and measure from the time at which each request is due.",
        discussion: """
            Without --gateway or --ready-file, the load test starts a gateway of its own and ends it. A profile is a \
            file with the same options; options of the command line replace those of the profile. Exits with 1 if an \
            objective is not met. Ctrl-C ends the load; the report is complete.

              waypost load --devices 500 --rate 2000 --duration 10s --slo lost=0 --report r.html
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
        case jsonl
    }

    @Argument(help: "A profile, in YAML or JSON.")
    var profile: String?

    @OptionGroup(title: "Gateway") var gateway: LoadGatewayOptions

    @OptionGroup(title: "Load") var load: LoadArguments

    @Flag(
        help: ArgumentHelp(
            "Search the highest rate that meets the objectives: run the test at several rates, each for --duration."
        )
    )
    var findMax = false

    @Option(help: "The format of the result (default: table on a terminal, otherwise json).")
    var format: Format?

    @Option(help: ArgumentHelp("Write an HTML page to this file.", valueName: "file"))
    var report: String?

    @OptionGroup var console: ConsoleOption

    func perform() async throws {
        ProcessLimits.raiseOpenFiles()
        if let report { try OutputFile.prepare(report) }
        let settings = try load.settings(profile)
        let command = self
        let stopRequest = LoadStopRequest()
        let result = try await runUntilInterrupted(stopRequest) {
            try await command.console.withReporter(
                for: .load,
                named: settings.name,
                on: try command.gateway.consoleGateway(),
                outcome: { stopRequest.isRequested ? .interrupted : RunOutcome(hasPassed: $0.meetsObjectives) }
            ) { reporter in
                let result =
                    command.findMax
                    ? try await command.search(settings, stopRequest, reporter: reporter)
                    : try await command.run(settings, stopRequest, reporter: reporter)
                for event in result.report.events { reporter.report(event) }
                return result
            }
        }
        try write(result)
        if !result.meetsObjectives { throw CommandFailure.failed() }
    }

    private func run(
        _ settings: LoadSettings,
        _ stopRequest: LoadStopRequest,
        reporter: RunReporter
    ) async throws -> LoadResult {
        try await gateway.run(settings) { runningGateway in
            let run = LoadRun(
                settings,
                runningGateway.client,
                target: runningGateway.listener,
                couriers: runningGateway.couriers,
                namespace: runningGateway.namespace,
                stopRequest: stopRequest
            )
            let progress = LoadProgress(settings)
            var result = try await run.run { second in
                progress.show(second)
                reporter.report(.figures(second.figures))
            }
            result.run.gateway = runningGateway.description
            result.warnings = runningGateway.warnings + result.warnings
            return result
        }
    }

    /// Runs the test at several rates, each with a gateway of its own if none is given.
    ///
    /// - Returns: the result at the highest rate that meets the objectives, or at the lowest rate if none does.
    private func search(
        _ settings: LoadSettings,
        _ stopRequest: LoadStopRequest,
        reporter: RunReporter
    ) async throws -> LoadResult {
        var search = try RateSearch(settings)
        while let rate = search.nextRate, !stopRequest.isRequested {
            let result = try await run(search.settings(at: rate), stopRequest, reporter: reporter)
            // An interrupted test says nothing about its rate.
            if stopRequest.isRequested, search.bestResult != nil { break }
            search.record(result)
            let sentence = search.outcomes.last ?? ""
            StandardError.write(sentence)
            reporter.report(.note(sentence))
        }
        guard let bestResult = search.bestResult else { throw CancellationError() }
        return bestResult
    }

    /// Runs `work`; an interrupt requests the end of the load, and a second one cancels the work.
    private func runUntilInterrupted(
        _ stopRequest: LoadStopRequest,
        _ work: @escaping @Sendable () async throws -> LoadResult
    ) async throws -> LoadResult {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return try await withThrowingTaskGroup(of: LoadResult?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                var signalCount = 0
                for await _ in signals {
                    stopRequest.request()
                    signalCount += 1
                    if signalCount == 2 { return nil }
                }
                return nil
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() ?? nil else { throw CancellationError() }
            return result
        }
    }

    private func write(_ result: LoadResult) throws {
        if let report { try OutputFile.write(Data(LoadReport(result).html.utf8), to: URL(filePath: report)) }
        switch format ?? (isatty(STDOUT_FILENO) == 1 ? .table : .jsonl) {
        case .table: try StandardOutput.write(result.report.text + "\n")
        case .jsonl: try StandardOutput.write(JSONOutput.line(result) + "\n")
        case .json: try StandardOutput.write(JSONOutput.document(result) + "\n")
        }
        // In a file, or in another program, the reason for the exit status is hard to find.
        guard isatty(STDOUT_FILENO) != 1 else { return }
        for missed in result.objectives where !missed.isMet {
            StandardError.write("waypost: missed objective \(missed.objective): \(missed.actual)")
        }
    }
}

extension LoadResult {
    /// Whether all objectives are met.
    fileprivate var meetsObjectives: Bool {
        objectives.allSatisfy(\.isMet)
    }
}

extension LoadSecond {
    /// The figures that a console shows.
    fileprivate var figures: RunFigures {
        var values = [
            "offered": offered, "accepted": accepted, "delivered": delivered, "acknowledged": acknowledged,
            "errors": errors, "backlog": backlog, "connected": connected,
        ].mapValues(Double.init)
        values["p50"] = p50
        values["p99"] = p99
        return RunFigures(second: second, values: values)
    }
}
