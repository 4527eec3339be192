internal import ArgumentParser
internal import Fleets
internal import Foundation
internal import GatewayClient
internal import SchemaFiles
internal import WaypostSchema

/// The `waypost fleet run` command.
struct FleetRunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run many devices against a gateway, and report what they received, acknowledged and lost.",
        discussion: """
            Each device has a credential and an event stream of its own. A behavior file says how groups of devices \
            acknowledge, crash, lose their network, and read. Without one, every device acknowledges everything at \
            once. The fleet runs for --duration, or until Ctrl-C, and then waits until the inboxes are empty. Exits \
            with 1 if a notification was lost or a device could never connect.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table
        case json
    }

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(help: "The number of devices.")
    var devices = 100

    @Option(help: ArgumentHelp("The behavior of the devices, in YAML or JSON.", valueName: "file"))
    var behavior: String?

    @Option(help: ArgumentHelp("The number of devices that share a credential and a stream.", valueName: "count"))
    var devicesPerCredential = 1

    @Option(help: "The seed of everything that varies.")
    var seed = 1

    @Option(
        help: ArgumentHelp(
            "The time from the start to the end, such as 30s or 10m (default: until Ctrl-C).",
            valueName: "time"
        ),
        transform: DurationOption.milliseconds
    )
    var duration: Int?

    @Option(
        help: ArgumentHelp("The longest wait for empty inboxes at the end.", valueName: "time"),
        transform: DurationOption.milliseconds
    )
    var drain = 10_000

    @Option(help: ArgumentHelp("Write the tokens of the devices to this file, a line each.", valueName: "file"))
    var tokens: String?

    @Option(help: ArgumentHelp("Write the journals of the first devices to this folder.", valueName: "folder"))
    var journals: String?

    @Option(help: ArgumentHelp("The number of these journals.", valueName: "count"))
    var sample = 100

    @Flag(help: "Leave the devices registered at the gateway.")
    var keepRegistered = false

    @Flag(help: "Allow a gateway on another machine.")
    var allowRemote = false

    @OptionGroup var console: ConsoleOption

    @Option(help: "The format of the report (default: table on a terminal, otherwise json).")
    var format: Format?

    func validate() throws {
        guard (1...100_000).contains(devices) else {
            throw ValidationError("--devices \(devices): use a number from 1 to 100000")
        }
        guard (1...1_000).contains(devicesPerCredential) else {
            throw ValidationError("--devices-per-credential \(devicesPerCredential): use a number from 1 to 1000")
        }
        guard sample >= 0 else { throw ValidationError("--sample \(sample): use a number from 0") }
    }

    func perform() async throws {
        let settings = try settings()
        let report = try await gateway.withClientRethrowingRefusals { client in
            let command = self
            return try await console.withReporter(
                for: .fleet,
                named: behavior.map { URL(filePath: $0).lastPathComponent } ?? "\(devices) devices",
                on: try gateway.consoleGateway(),
                outcome: { RunOutcome(hasPassed: Self.hasPassed($0)) }
            ) { reporter in
                let run = FleetRun(settings: settings, client: client, command: command, reporter: reporter)
                let report = try await run.perform()
                for event in report.report.events { reporter.report(event) }
                return report
            }
        }
        switch format ?? (isatty(STDOUT_FILENO) == 1 ? .table : .json) {
        case .table: try StandardOutput.write(report.report.text + "\n")
        case .json: try StandardOutput.write(JSONOutput.document(report) + "\n")
        }
        if let lost = report.lost, lost > 0 { throw CommandFailure.failed("\(lost) notifications were lost") }
        guard report.unreached == 0 else {
            throw CommandFailure.failed("\(report.unreached) of \(settings.credentials) streams could not be opened")
        }
    }

    private static func hasPassed(_ report: FleetReport) -> Bool {
        (report.lost ?? 0) == 0 && report.unreached == 0
    }

    private func settings() throws -> FleetSettings {
        var settings = FleetSettings(devices: devices)
        settings.devicesPerCredential = devicesPerCredential
        settings.seed = seed
        settings.recordedDeviceCount = journals == nil ? 0 : min(sample, devices)
        if let behavior { settings.behavior = try FleetBehavior(file: behavior, .fleet()) }
        return settings
    }
}
