internal import DeviceFiles
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import SchemaFiles
internal import WaypostSchema

extension ScenarioRun {
    func controlApp(_ control: AppControl) async throws -> StepAnswer {
        let device = control.device
        if let file = control.attach {
            try await attach(file, to: device)
        } else if let app = control.kill {
            guard let process = self[device].appProcesses.removeValue(forKey: app) else {
                throw StepFailure("no process of \(app) is attached to \(device)")
            }
            try await process.end(.kill)
        } else if let url = control.view {
            try await show(url, control)
        }
        return StepAnswer()
    }

    /// Runs an app as a process, which an app file describes, or which only takes its activations.
    private func attach(_ file: String, to device: String) async throws {
        let agent = try environment.agent(of: device)
        let installedApps = try await agent.apps(of: device)
        let appFile = try await appFile(at: file, installedApps: installedApps.map(\.app))
        let app = appFile?.content.app.bundleIdentifier ?? BundleIdentifier(rawValue: file)
        guard appFile != nil || installedApps.contains(where: { $0.app == app }) else {
            throw StepFailure("'\(file)' is neither an app file next to the scenario nor an app of \(device)")
        }
        let path =
            try appFile?.path
            ?? environment.workspace.write(
                "{\"bundleIdentifier\": \"\(file)\", \"scenes\": []}\n",
                to: "\(file).json"
            )
        try await self[device].appProcesses.removeValue(forKey: app)?.end(.kill)
        self[device].appProcesses[app] = supervisor.start(
            "waypost",
            ["app", "run", "--agent", agent.url, "--app", path, "--device", device, "--format", "jsonl"],
            name: "the app \(app) on \(device)",
            log: environment.workspace.logPath(of: "app-\(app)-\(device)")
        )
        try await ProcessWait.untilTrue(orFailWith: "the app \(app) did not attach to \(device)") {
            try await agent.apps(of: device).contains { $0.app == app && $0.isRunning }
        }
        try await waitUntilActivationsAreTaken(on: device)
    }

    /// Returns the path and the content of an app file; `nil` if the name is not that of a file.
    private func appFile(
        at name: String,
        installedApps: [BundleIdentifier]
    ) async throws -> (path: String, content: AppFile)? {
        if let files = environment.files {
            guard !installedApps.contains(BundleIdentifier(rawValue: name)) else { return nil }
            let path = try await files.copy(of: name)
            do {
                return (path, try AppFile(path, .app()))
            } catch let findings as FileFindings {
                throw files.findings(inOriginals: findings)
            }
        }
        let path = FileText.path(name, relativeTo: scenario.file)
        return FileManager.default.fileExists(atPath: path) ? (path, try AppFile(path, .app())) : nil
    }

    /// Shows the content of a link for a time.
    private func show(_ url: String, _ control: AppControl) async throws {
        let app = try app(of: control.device, named: control.app)
        let preferences = AttributionPreferences(displayContext: control.context ?? .summary)
        let view = try await attributionView(of: url, in: app, on: control.device, preferences).view
        let appClient = AppClient(
            http,
            try await environment.agent(of: control.device).credential(of: app, on: control.device)
        )
        try await appClient.attach(view)
        if let time = control.for.flatMap(DurationText.milliseconds), time > 0 { try await advance(by: time) }
        try await appClient.detach(view)
        if control.finishes == true { try await appClient.reportFinishedHighlight(url) }
        try await appClient.release(view)
    }

    /// The default time limit of a command, in milliseconds.
    private static let defaultCommandTimeLimit = 60_000

    /// Runs a shell command, and waits until what it sent has arrived.
    func runCommand(_ command: String, expecting expectation: Expectation?) async throws -> StepAnswer {
        try await environment.gateway.resetSenderReport()
        commandCount += 1
        let folder = (scenario.file as NSString).deletingLastPathComponent
        let timeLimit = expectation?.within.flatMap(DurationText.milliseconds) ?? Self.defaultCommandTimeLimit
        let outcome = try await ShellCommand(
            script: command,
            folder: folder.isEmpty ? "." : folder,
            environment: try await commandEnvironment(),
            outputPath: environment.workspace.logPath(of: "command-\(commandCount)"),
            timeLimit: .milliseconds(timeLimit)
        ).run(in: groups)
        var answer = StepAnswer(outcome)
        answer.commandOutcome = outcome
        answer.summary = outcome.exit == 0 ? nil : "exit \(outcome.exit)"
        if outcome.exit != 0, expectation?.exit == nil {
            throw StepFailure(
                "the command ended with status \(outcome.exit)",
                explanation: "It printed:\n\(outcome.output)"
            )
        }
        markAllAsChanged()
        try await settle()
        return answer
    }

    /// The environment of commands: the URLs and tokens of everything that runs.
    private func commandEnvironment() async throws -> [String: String] {
        let urls = environment.urls
        var variables = ["WAYPOST_SERVICE": urls.service]
        // The `waypost` program finds the gateway by this name.
        variables["WAYPOST_GATEWAY"] = urls.service
        variables["WAYPOST_PROVIDER"] = urls.provider
        variables["WAYPOST_PROVIDER_PLAINTEXT"] = urls.providerPlaintext
        variables["WAYPOST_CA"] = urls.caCertificatePath
        variables["WAYPOST_NAMESPACE"] = environment.namespace?.rawValue ?? "default"
        variables["WAYPOST_TOKEN"] = scenario.deviceNames.first.flatMap { environment.tokens[$0]?.rawValue }
        for device in scenario.deviceNames {
            let name = Self.variableName(device)
            variables["WAYPOST_TOKEN_\(name)"] = environment.tokens[device]?.rawValue
            let tokensByKind = Dictionary(grouping: try await appTokens(of: device), by: \.purpose.kind)
            for (kind, tokens) in tokensByKind where tokens.count == 1 {
                variables["WAYPOST_TOKEN_\(name)_\(Self.variableName(kind.rawValue))"] = tokens[0].token?.rawValue
            }
            if environment.isRunning(device) {
                variables["WAYPOST_CONTROL_\(name)"] = try environment.agent(of: device).url
            }
        }
        return variables
    }

    /// Returns a name as a part of the name of a variable.
    private static func variableName(_ name: String) -> String {
        String(name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    func callAPI(_ call: APICall) async throws -> StepAnswer {
        let isGateway = call.at == "gateway"
        let calls = isGateway ? environment.service : JSONCalls(http, base: try environment.agent(of: call.at).url)
        let devicePath = "/v1/devices/\(PercentEncoding.escaped(call.at))/"
        let prefix = call.path.hasPrefix("/") ? "" : isGateway ? "/" : devicePath
        let path = prefix + call.path
        var answer = StepAnswer()
        switch call.method ?? "GET" {
        case "POST": answer.document = try await calls.post(path, call.body ?? .object([:]))
        case "PUT": answer.document = try await calls.put(path, call.body ?? .object([:]))
        case "DELETE": try await calls.delete(path)
        default: answer.document = try await calls.get(path)
        }
        markAllAsChanged()
        try await settle()
        return answer
    }

    /// Records that another program may have sent something to all devices, or installed apps on them.
    private func markAllAsChanged() {
        markAllAsUnsettled()
        for device in scenario.deviceNames { self[device].mayHaveAppTokens = true }
    }

    /// Returns the app of a step: the named one, or the only one with Shared with You.
    func app(of device: String, named app: BundleIdentifier?) throws(StepFailure) -> BundleIdentifier {
        if let app { return app }
        let key = environment.key(of: device)
        let apps = scenario.devices.first { $0.key == key }?.description.apps.filter(\.sharedWithYou) ?? []
        guard apps.count == 1, let onlyApp = apps.first else {
            throw StepFailure("\(device) has \(apps.count) apps with sharedWithYou; name the one with 'app'")
        }
        return onlyApp.bundleIdentifier
    }
}
