internal import ArgumentParser
internal import AsyncHTTPClient
internal import DeviceFiles
internal import GatewayClient
internal import SchemaFiles
internal import WaypostSchema

/// The `waypost app` commands, which run apps as separate processes.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Run an app as a separate process on an agent's device.",
        subcommands: [AppRunCommand.self]
    )
}

/// The `waypost app run` command, which runs an app.
struct AppRunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Attach to a device as an app, do what the app file describes, and print the app's events.",
        discussion: """
            The app file describes an app as a device file does. Its 'process' key describes what the process does: \
            shortcutItems, conditions and restorationActivities by scene, previews, attributions, and views: the \
            highlights that it shows, in a list or in detail, and for how many seconds. 'calls' has the results with \
            which it finishes calls such as willPresent. With --service-extension, the process is that of the app's \
            notification service extension. If the device does not have the app, the command installs it; an installed app stays unchanged, with its scenes. Each event \
            is printed as it arrives, and a scene activation is taken once it is printed. Runs until it is interrupted \
            (exit status 0), or until another process of the app attaches, the user forces the app to quit, the app is removed or the agent shuts down \
            (exit status 1). If the control API requires a token, it is taken from the ready file, or else from the \
            environment variable WAYPOST_CONTROL_TOKEN.
            """
    )

    @OptionGroup(title: "Agent") var agent: AgentOptions

    @Option(help: ArgumentHelp("The app file, in YAML or JSON.", valueName: "file"))
    var app: String

    @Option(
        help: ArgumentHelp("The device (default: the agent's first device).", valueName: "name"),
        completion: .devices
    )
    var device: String?

    @Flag(help: "Attach as the app's notification service extension.")
    var serviceExtension = false

    @Flag(name: .customLong("exit-on-eof"), help: "Exit when standard input ends, as it does when a test is killed.")
    var exitsOnEOF = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let file = try AppFile.read(app)
        let location = try agent.location()
        let (device, format, serviceExtension) = (device, output.resolvedFormat, serviceExtension)
        do {
            try await InterruptibleRun.run(endsOnEOF: exitsOnEOF) {
                try await HTTPClient.withHTTPClient(configuration: .apps) { http in
                    let credential = try await Self.credential(
                        for: file.app,
                        on: device,
                        AgentClient(http, control: location.control, token: location.token)
                    )
                    try await AppRun(
                        file: file,
                        client: AppClient(http, credential),
                        format: format,
                        isServiceExtension: serviceExtension
                    ).run()
                }
            }
        } catch is CancellationError {
            // The user interrupted the command, which is not an error.
        }
    }

    /// Returns the app's credential, and installs the app if the device does not have it.
    private static func credential(
        for app: AppDescription,
        on device: String?,
        _ agent: AgentClient
    ) async throws -> AppCredential {
        let devices = try await agent.devices()
        guard let device = device ?? devices.first?.name else { throw CommandFailure.failed("the agent has no device") }
        do throws(CallError) {
            return try await agent.credential(of: app.bundleIdentifier, on: device)
        } catch {
            guard case .refused(404, let answer) = error, answer.code == "unknownApp" else { throw error }
            return try await agent.install(app, on: device)
        }
    }
}
