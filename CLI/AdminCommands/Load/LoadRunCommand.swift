internal import ArgumentParser
internal import AsyncHTTPClient
internal import Fleets
internal import Foundation
internal import GatewayClient
internal import LoadTesting
internal import LocalProcesses
internal import LocalService
internal import SchemaFiles
internal import UnixSignals
internal import WaypostSchema

/// The `waypost load` command.
struct LoadRunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Load a gateway as a schedule says, and measure from the intended start to the acknowledgement.",
        discussion: """
            Without --gateway or --ready-file, the load test starts a gateway of its own and ends it. Exits with 1 if \
            an objective is not met. Ctrl-C ends the load; the report is complete.

              waypost load --devices 500 --rate 2000 --duration 10s --slo lost=0 --report r.html
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
    }

    @OptionGroup(title: "Gateway") var gateway: LoadGateway

    @Option(help: "The notifications per second: 2000, a ramp 100..2000, or steps 500:10s,1000:20s.")
    var rate = "1000"

    @Option(help: ArgumentHelp("The rates of each second, a number a line, instead of --rate.", valueName: "file"))
    var rates: String?

    @Flag(help: "Let the times vary as those of independent senders do.")
    var poisson = false

    @Flag(help: "Send on each connection as soon as the answer before is there, instead of at a rate.")
    var closed = false

    @Option(
        help: ArgumentHelp("The length of the measured part.", valueName: "time"),
        transform: DurationOption.milliseconds
    )
    var duration = 10_000

    @Option(
        help: ArgumentHelp("The part before it, which does not count.", valueName: "time"),
        transform: DurationOption.milliseconds
    )
    var warmUp = 0

    @Option(
        help: ArgumentHelp("The longest wait for arrivals at the end.", valueName: "time"),
        transform: DurationOption.milliseconds
    )
    var drain = 10_000

    @Option(help: "The notifications of a batch (default: a tenth of a second's, 1 to 500).")
    var batch: Int?

    @Option(help: "The connections that send.")
    var connections = 4

    @Option(help: "The content coding of batches: gzip, deflate or none.")
    var coding = "gzip"

    @Option(help: "The level of the compression, 0 to 9.")
    var level = 1

    @Option(help: ArgumentHelp("The size of a payload.", valueName: "bytes"))
    var payload = 200

    @Option(help: "The skew of the distribution over devices: the exponent of Zipf's law, 0 for none.")
    var zipf = 0.0

    @Option(help: ArgumentHelp("The share of notifications for tokens that do not exist.", valueName: "share"))
    var badTokens = "0%"

    @Option(help: ArgumentHelp("A target content identifier; several are used in turn.", valueName: "id"))
    var targetContentID: [String] = []

    @Option(help: "The number of different collapse identifiers.")
    var collapseIDs = 0

    @Option(help: "The number of devices that receive.")
    var devices = 100

    @Option(help: ArgumentHelp("The behavior of the devices, as for 'waypost fleet run'.", valueName: "file"))
    var behavior: String?

    @Option(help: ArgumentHelp("The number of devices that share a credential and a stream.", valueName: "count"))
    var devicesPerCredential = 1

    @Flag(help: "Connect the devices only after the load: their inboxes fill, and then drain.")
    var offline = false

    @Option(help: "The seed of everything that varies.")
    var seed = 1

    @Option(
        help: ArgumentHelp(
            "An objective, such as lost=0 or delivered.p99<50ms; may be given several times.",
            valueName: "objective"
        )
    )
    var slo: [String] = []

    @Option(help: ArgumentHelp("The name of the test, for reports.", valueName: "name"))
    var name = "load"

    @Option(help: "The format of the result (default: table on a terminal, otherwise json).")
    var format: Format?

    @Option(help: ArgumentHelp("Write an HTML page to this file.", valueName: "file"))
    var report: String?

    func perform() async throws {
        OpenFileLimit.raise()
        let settings = try settings()
        let command = self
        let result = try await gateway.run { client, endpoint, courier, description in
            let stop = LoadStop()
            let run = LoadRun(settings, client, endpoint, courier: courier, stop: stop)
            return try await command.untilInterrupted(stop) {
                let progress = LoadProgress()
                defer { progress.finish() }
                var result = try await run.run { progress.show($0, settings) }
                result.run.gateway = description
                return result
            }
        }
        try write(result)
        if result.objectives.contains(where: { !$0.isMet }) { throw CommandFailure.no() }
    }

    /// Runs `work`; an interrupt requests the end of the load, and a second one cancels the work.
    private func untilInterrupted(
        _ stop: LoadStop,
        _ work: @escaping @Sendable () async throws -> LoadResult
    ) async throws -> LoadResult {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return try await withThrowingTaskGroup(of: LoadResult?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                var count = 0
                for await _ in signals {
                    stop.request()
                    count += 1
                    if count == 2 { return nil }
                }
                return nil
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() ?? nil else { throw CancellationError() }
            return result
        }
    }

    private func write(_ result: LoadResult) throws {
        if let report {
            do {
                try Data(LoadReport(result).html.utf8).write(to: URL(filePath: report))
            } catch {
                throw CommandFailure.unusable("\(report): cannot be written: \(error.localizedDescription)")
            }
        }
        switch format ?? (isatty(STDOUT_FILENO) == 1 ? .table : .json) {
        case .table: try StandardOutput.write(result.table + "\n")
        case .json: try StandardOutput.write(JSONText.document(result) + "\n")
        }
    }

    private func settings() throws -> LoadSettings {
        var settings = LoadSettings()
        settings.name = name
        settings.seconds = Double(duration) / 1_000
        settings.warmUp = Double(warmUp) / 1_000
        settings.drain = Double(drain) / 1_000
        settings.schedule = try schedule()
        if let schedule = settings.schedule { settings.seconds = schedule.seconds }
        let perSecond = (settings.schedule?.items ?? 0) / max(settings.seconds, 0.001)
        settings.batch = batch ?? (closed ? 500 : min(500, max(1, Int(perSecond / 10))))
        settings.connections = connections
        guard let coding = BatchCoding(coding, level: level) else {
            throw CommandFailure.unusable("--coding \(coding): use gzip, deflate or none")
        }
        settings.coding = coding
        settings.seed = seed
        settings.startsOffline = offline
        settings.items.payload = payload
        settings.items.skew = zipf
        settings.items.targetContentIdentifiers = targetContentID
        settings.items.collapseIdentifiers = collapseIDs
        guard let share = QuantityText.share(in: badTokens) else {
            throw CommandFailure.unusable("--bad-tokens \(badTokens): use a share from 0% to 100%, such as 2.5%")
        }
        settings.items.badTokens = share
        settings.fleet = FleetSettings(devices: devices)
        settings.fleet.devicesPerCredential = devicesPerCredential
        settings.fleet.seed = seed
        if let behavior { settings.fleet.behavior = try FleetBehavior(file: behavior, try FleetBehavior.schema()) }
        do {
            settings.objectives = try slo.map { try Objective($0) }
        } catch let error as Objective.TextError {
            throw CommandFailure.unusable("--slo: \(error)")
        }
        return settings
    }

    private func schedule() throws -> LoadSchedule? {
        guard !closed else { return nil }
        let recording = try rates.map { String(decoding: try InputFile(path: $0).readToEnd(), as: UTF8.self) }
        do throws(LoadSchedule.TextError) {
            var schedule: LoadSchedule
            if let recording {
                schedule = try LoadSchedule(recording: recording)
            } else {
                schedule = try LoadSchedule(rate, seconds: Double(duration) / 1_000)
            }
            schedule.isRandom = poisson
            return schedule
        } catch {
            throw CommandFailure.unusable("\(rates.map { "--rates \($0)" } ?? "--rate"): \(error)")
        }
    }

    func validate() throws {
        let ranges: [(String, Int, ClosedRange<Int>)] = [
            ("devices", devices, 1...100_000), ("devices-per-credential", devicesPerCredential, 1...1_000),
            ("connections", connections, 1...256), ("level", level, 0...9), ("batch", batch ?? 1, 1...10_000),
            ("payload", payload, 20...65_536), ("collapse-ids", collapseIDs, 0...1_000_000),
        ]
        for (option, value, range) in ranges where !range.contains(value) {
            throw ValidationError("--\(option) \(value): use a number from \(range.lowerBound) to \(range.upperBound)")
        }
        guard zipf >= 0, zipf <= 10 else { throw ValidationError("--zipf \(zipf): use a number from 0 to 10") }
    }
}

/// Times in options.
enum DurationOption {
    /// Returns the milliseconds of a time such as `10s`.
    static func milliseconds(_ text: String) throws -> Int {
        if let problem = DurationText.problem(of: text) { throw ValidationError("'\(text)'\(problem)") }
        return DurationText.milliseconds(in: text) ?? 0
    }
}
