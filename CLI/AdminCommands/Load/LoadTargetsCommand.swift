internal import ArgumentParser
internal import Fleets
internal import Foundation
internal import GatewayClient
internal import LoadTesting
internal import LocalFiles
internal import WaypostSchema

/// The `waypost load targets` command.
struct LoadTargetsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "targets",
        abstract: "Register devices, and write input files with which h2load sends to them.",
        discussion: """
            The folder has 'urls.txt', the URLs of the devices, 'payload.json', and 'h2load.sh', which sends a \
            notification to each device in turn. The devices stay registered. Nothing receives; 'waypost load' also \
            proves that nothing was lost.

              waypost load targets --ready-file gateway.json --devices 1000 targets
              targets/h2load.sh -n 100000
            """
    )

    @OptionGroup(title: "Gateway") var gateway: LoadGatewayOptions

    @Option(help: "The number of devices.")
    var devices = 100

    @Option(help: ArgumentHelp("The size of the payload.", valueName: "bytes"))
    var payload = 200

    @Argument(help: "The folder, which is created if it does not exist.")
    var folder: String

    func validate() throws {
        guard (1...100_000).contains(devices) else {
            throw ValidationError("--devices \(devices): use a number from 1 to 100000")
        }
        guard (20...4_096).contains(payload) else {
            throw ValidationError("--payload \(payload): use a number from 20 to 4096")
        }
    }

    func perform() async throws {
        guard try gateway.consoleGateway() != nil else {
            throw CommandFailure.unusable("name the gateway with --ready-file, or with --gateway and --provider")
        }
        var settings = LoadSettings()
        settings.api = .provider(maximumStreamCount: 1)
        settings.traffic.payloadSizes = WeightedChoice(payload)
        settings.fleet = FleetSettings(devices: devices)
        let (loadSettings, folder) = (settings, URL(filePath: folder))
        try await gateway.run(settings) { runningGateway in
            guard case .provider(let endpoint, _) = runningGateway.listener else { return }
            let registration = FleetRegistration(runningGateway.client)
            let tokens = try await registration.register(loadSettings.fleet).flatMap(\.tokens)
            for (name, text) in H2loadFiles(loadSettings, tokens, endpoint: endpoint).files {
                try Self.write(text, as: name, to: folder)
            }
        }
        try StandardOutput.write("\(folder.appending(path: "h2load.sh").relativePath)\n")
    }

    private static func write(_ text: String, as name: String, to folder: URL) throws {
        let file = folder.appending(path: name)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            let mode = name.hasSuffix(".sh") ? 0o755 : 0o644
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        } catch {
            throw CommandFailure.unusable("\(file.relativePath): cannot be written: \(SystemError.reason(of: error))")
        }
    }
}
