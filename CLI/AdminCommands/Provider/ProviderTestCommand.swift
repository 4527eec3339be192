internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import LocalService
internal import ProviderTrials
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost provider test` command.
struct ProviderTestCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run trials of a provider, and report which rules of APNs it breaks.",
        discussion: """
            For each trial, the command of the provider is started with a gateway of its own. It gets the URLs, the key, \
            the topic and the tokens as environment variables (WAYPOST_URL, WAYPOST_CA_FILE, WAYPOST_KEY_FILE, …), and \
            the messages to send as JSON objects, one on each line of its standard input. It sends each of them, with \
            its payload, until its input ends.

            A running service calls the address of --listen: GET /v1/trial answers with these variables once a trial \
            begins, GET /v1/messages with an array of messages, and both with 410 when the run is over.

            A trial is passed, failed, or not shown if the provider never met its condition. Exits with 1 if a trial \
            failed, or none passed.

            Without --console or WAYPOST_CONSOLE, no console shows the run: the gateway of a trial ends with it.
            """
    )

    /// The maximum number of trials that run at the same time.
    private static let maximumJobs = 4

    @Argument(parsing: .postTerminator, help: "The command of the provider, after '--'.")
    var command: [String] = []

    @Flag(help: "List the trials, and run none.")
    var list = false

    @Option(help: ArgumentHelp("Run these trials, whose names are separated by commas.", valueName: "names"))
    var only: String?

    @Flag(help: "Run all trials, also those that take minutes.")
    var whole = false

    @Option(help: "The seed of the device tokens, and of faults that choose at random.")
    var seed = 0

    @Option(
        help: ArgumentHelp(
            "Test a running service, which fetches its messages from this loopback address.",
            valueName: "addr:port"
        )
    )
    var listen: String?

    @Option(help: ArgumentHelp("Write the results to this file, in the XML format of JUnit.", valueName: "file"))
    var junit: String?

    @Option(
        help: ArgumentHelp("Keep the logs of the provider and of the gateways in this folder.", valueName: "folder")
    )
    var keep: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    @OptionGroup var console: ConsoleOption

    func validate() throws {
        _ = try trials()
        guard !list else { return }
        if let listen {
            guard command.isEmpty else { throw ValidationError("give either a command or --listen") }
            guard let address = ListenAddress(listen), address.isLoopback, address.port > 0 else {
                throw ValidationError("--listen \(listen): use a loopback address, such as 127.0.0.1:7350")
            }
        } else if command.isEmpty {
            throw ValidationError(
                "give the command of the provider after '--', or --listen ADDR:PORT for a running service"
            )
        }
    }

    func perform() async throws {
        guard !list else { return try writeList() }
        if let junit { try OutputFile.prepare(junit) }
        let testCommand = self
        let display = TrialOutput(output, trials: try trials())
        do {
            try await InterruptibleRun.run { try await testCommand.runTrials(display) }
        } catch {
            // The error is more important than one of the report.
            if !display.results.isEmpty { try? writeReport(of: display) }
            throw error
        }
        try writeReport(of: display)
        guard TrialReport.hasPassed(display.results) else { throw CommandFailure.failed() }
    }

    /// Writes the summary and the report of the trials that have ended.
    private func writeReport(of display: TrialOutput) throws {
        try display.finish()
        guard let junit else { return }
        try OutputFile.write(Data(TrialReport.junit(display.results).utf8), to: URL(filePath: junit))
    }

    /// Returns the trials that the options choose, in the order of the list.
    ///
    /// - Throws: `ValidationError` that suggests a name, if there is no trial with one.
    func trials() throws -> [ProviderTrial] {
        guard let only else { return ProviderTrial.all.filter { whole || list || $0.isQuick } }
        let names = only.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let accepted = ProviderTrial.all.map(\.name)
        guard !names.isEmpty else { throw ValidationError("--only: give the name of at least one trial") }
        for name in names where !accepted.contains(name) {
            let hint = name.nearest(among: accepted).map { "did you mean '\($0)'?" } ?? "--list lists them"
            throw ValidationError("--only \(name): there is no such trial; \(hint)")
        }
        return ProviderTrial.all.filter { names.contains($0.name) }
    }

    private func writeList() throws {
        try output.write(try trials().map { ListedTrial($0) }, table: ListedTrial.table)
    }

    private func runTrials(_ display: TrialOutput) async throws {
        guard let keep else {
            return try await TemporaryFolder.with("waypost-provider") { try await runTrials(display, in: $0) }
        }
        let folder = URL(filePath: keep).standardizedFileURL
        try OutputFile.prepare(folder.appending(path: "gateway.log").path)
        try await runTrials(display, in: folder)
    }

    private func runTrials(_ display: TrialOutput, in folder: URL) async throws {
        let trials = try trials()
        let authorities = try TrialAuthorities(in: folder)
        let trust = try await ProviderVariables.trust(authorities)
        let outcome: @Sendable ([ProviderTrialResult]) -> RunOutcome = {
            RunOutcome(hasPassed: TrialReport.hasPassed($0))
        }
        let name = listen ?? command.joined(separator: " ")
        _ = try await console.withReporter(for: .provider, named: name, on: nil, outcome: outcome) { reporter in
            let results = try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
                try await withSubject { subject, jobs in
                    let runner = TrialRunner(
                        subject: subject,
                        seed: seed,
                        folder: folder,
                        authorities: authorities,
                        trustVariables: trust,
                        http: http,
                        clockLibrary: ProviderClock.library()
                    )
                    return try await Self.run(trials, with: runner, jobs: jobs) { outcome in
                        display.write(outcome)
                        reporter.report(.trial(outcome.result))
                    }
                }
            }
            reporter.report(.note(TrialReport.summary(results)))
            return results
        }
    }

    /// Calls `body` with the provider, and the number of trials that may run at the same time.
    private func withSubject<Value: Sendable>(
        _ body: @Sendable (TrialRunner.Subject, _ jobs: Int) async throws -> Value
    ) async throws -> Value {
        guard let address = listen.flatMap({ ListenAddress($0) }) else {
            return try await body(.command(command), Self.maximumJobs)
        }
        let service = TrialService()
        let ports = try TrialGateway.Ports()
        return try await service.whileListening(at: address) {
            StandardError.write("waiting for the service to call http://\(address)/v1/trial; Ctrl-C ends the run")
            return try await body(.service(service, ports), 1)
        }
    }

    /// Runs trials, and returns their results in order.
    private static func run(
        _ trials: [ProviderTrial],
        with runner: TrialRunner,
        jobs: Int,
        report: @escaping @Sendable (TrialRunner.Outcome) -> Void
    ) async throws -> [ProviderTrialResult] {
        try await withThrowingTaskGroup(of: (Int, TrialRunner.Outcome).self) { group in
            var results: [Int: ProviderTrialResult] = [:]
            for (index, trial) in trials.enumerated() {
                if index >= jobs, let (endedIndex, outcome) = try await group.next() {
                    report(outcome)
                    results[endedIndex] = outcome.result
                }
                group.addTask { (index, try await runner.run(trial)) }
            }
            for try await (index, outcome) in group {
                report(outcome)
                results[index] = outcome.result
            }
            return trials.indices.compactMap { results[$0] }
        }
    }
}

/// A trial in the list of trials.
struct ListedTrial: Encodable {
    let name: String
    let rule: String
    let source: String
    let isQuick: Bool
    let movesClock: Bool

    /// Returns trials as a table.
    static func table(_ trials: [Self]) -> any TextPresentable {
        let rows = trials.map { trial in
            [trial.name, trial.isQuick ? "quick" : "whole", trial.movesClock ? "faketime" : "", trial.rule]
        }
        return TextTable(header: ["Trial", "Set", "Needs", "Rule"], rows: rows, wrapsLastColumn: true)
    }
}

extension ListedTrial {
    init(_ trial: ProviderTrial) {
        self.init(
            name: trial.name,
            rule: trial.rule,
            source: trial.source,
            isQuick: trial.isQuick,
            movesClock: trial.movesClock
        )
    }
}
