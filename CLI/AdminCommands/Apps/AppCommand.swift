internal import ArgumentParser
internal import AsyncHTTPClient
internal import DescriptionFiles
internal import GatewayClient
internal import WaypostSchema

/// Apps as processes of their own: `waypost app`.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Be a process of an app on an agent's device.",
        subcommands: [AppRunCommand.self]
    )
}

/// Runs an app: `waypost app run`.
struct AppRunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Attach to a device as an app, do what the app's file says, and print what the app is told.",
        discussion: """
            The file is an app as a device file has it, with what its process does under 'process': shortcutItems, \
            conditions and restorationActivities by scene, previews, attributions. The app is installed where the \
            device does not have it; one that is there is left as it is, with its scenes. What the process is told is \
            printed as it comes, and each activation of a scene taken once it is printed. Runs until it is interrupted \
            (exit status 0), or until another process of the app attaches, the app is removed or the agent ends (1).
            """
    )

    @Option(help: ArgumentHelp("The base URL of the agent's control API.", valueName: "url"))
    var agent: String?

    @Option(help: ArgumentHelp("Read the agent's URLs from the ready file that it wrote.", valueName: "file"))
    var readyFile: String?

    @Option(help: ArgumentHelp("The app's file, in YAML or JSON.", valueName: "file"))
    var app: String

    @Option(help: ArgumentHelp("The device (default: the agent's first).", valueName: "name"))
    var device: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard (agent == nil) != (readyFile == nil) else {
            throw ValidationError("one of --agent and --ready-file is needed, and only one")
        }
    }

    func perform() async throws {
        let file = try DescriptionFile.readInput(AppFile.self, from: app)
        let control =
            try agent ?? readyFile.map { try ReadyFiles.read(AgentReadyFile.self, from: $0).control } ?? ""
        if let error = ListenerURL.error(in: control) { throw CommandFailure.unusable(error) }
        let (device, format) = (device, output.resolved)
        do {
            try await InterruptibleRun.run {
                try await HTTPClient.withHTTPClient(configuration: .apps) { http in
                    let credential = try await Self.credential(
                        for: file.app,
                        on: device,
                        AgentClient(http, control: control)
                    )
                    try await AppRun(file: file, client: AppClient(http, credential), format: format).run()
                }
            }
        } catch is CancellationError {
            // The person has seen enough.
        }
    }

    /// Returns what the process attaches with; the app is installed where it is not there.
    private static func credential(
        for app: AppDescription,
        on device: String?,
        _ agent: AgentClient
    ) async throws -> AppCredential {
        let devices = try await agent.devices()
        guard let device = device ?? devices.first?.name else { throw CommandFailure.no("the agent has no device") }
        do throws(CallError) {
            return try await agent.credential(of: app.bundleIdentifier, on: device)
        } catch {
            guard case .refused(404, let answer) = error, answer.code == "unknownApp" else { throw error }
            return try await agent.install(app, on: device)
        }
    }
}
