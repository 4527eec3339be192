internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalFiles
internal import LocalProcesses
internal import TextReports
internal import WaypostSchema

/// The programs of a stack, for scripts that wait for it.
struct StackReadyFile: Encodable {
    /// The gateway.
    let gateway: GatewayReadyFile

    /// The agent, if there are devices.
    let agent: AgentReadyFile?
}

/// A run of a stack, until it is interrupted.
struct StackRun: Sendable {
    let stack: Stack

    /// The file to write when all processes run, if any.
    let readyFile: String?

    /// Whether nothing but errors is printed.
    let isQuiet: Bool

    /// The delay before a stream is opened again.
    private static let retryDelay = Duration.seconds(1)

    /// Starts everything, says how to reach it, and prints what happens to notifications.
    ///
    /// - Throws: `ProcessFailure` if a process ends; all others are stopped then.
    func run() async throws {
        let lock = try lockFolder()
        defer { lock.unlock() }
        try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            try await ProcessSupervisor.run { supervisor in
                let gateway = try await startGateway(supervisor)
                let agent = try await startAgent(gateway, supervisor)
                if let agent {
                    let client = AgentClient(http, control: agent.control, token: agent.controlToken)
                    for app in stack.apps { start(app, supervisor) }
                    try await printOverview(gateway, client)
                } else {
                    try await printOverview(gateway, nil)
                }
                try writeReadyFiles(StackReadyFile(gateway: gateway, agent: agent))
                try await follow(gateway, http)
            }
        }
    }

    /// Creates the folder, locks it for this process, and removes the files of an earlier run.
    ///
    /// - Throws: `CommandFailure` if another stack uses the folder.
    private func lockFolder() throws -> OpenFile {
        let files = FileManager.default
        do {
            try files.createDirectory(at: stack.folder, withIntermediateDirectories: true)
            let lock = try OpenFile(path: stack.folder.appending(path: "lock").path, O_RDWR | O_CREAT)
            guard try lock.lock() else {
                throw CommandFailure.unusable(
                    "\(stack.folder.path): another 'waypost up' runs here; end it, or name another folder (--data, or 'data' "
                        + "in the stack file)"
                )
            }
            // The folder may have other files, which are the user's.
            for path in stack.generatedFiles where files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
            return lock
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure.unusable("\(stack.folder.path): cannot be used: \(SystemError.reason(of: error))")
        }
    }

    private func startGateway(_ supervisor: ProcessSupervisor) async throws -> GatewayReadyFile {
        let arguments = stack.gatewayArguments + ["--ready-file", stack.readyFile(of: "gateway")]
        let process = supervisor.start(
            "waypost-gateway",
            arguments,
            name: "the gateway",
            log: stack.logFile(of: "gateway")
        )
        return try await process.waitUntilReady(GatewayReadyFile.self, at: stack.readyFile(of: "gateway"))
    }

    private func startAgent(
        _ gateway: GatewayReadyFile,
        _ supervisor: ProcessSupervisor
    ) async throws -> AgentReadyFile? {
        guard let arguments = stack.agentArguments else { return nil }
        let fileArguments = [
            "--ready-file", stack.readyFile(of: "agent"), "--gateway-ready-file", stack.readyFile(of: "gateway"),
        ]
        let process = supervisor.start(
            "waypost-agent",
            arguments + fileArguments,
            name: "the agent",
            log: stack.logFile(of: "agent")
        )
        return try await process.waitUntilReady(AgentReadyFile.self, at: stack.readyFile(of: "agent"))
    }

    private func start(_ app: StackApp, _ supervisor: ProcessSupervisor) {
        _ = supervisor.start(
            "waypost",
            [
                "app", "run", "--ready-file", stack.readyFile(of: "agent"), "--app", app.file, "--device", app.device,
                "--format", "jsonl",
            ],
            name: "the app \(app.file) on \(app.device)",
            log: stack.logFile(of: app.name)
        )
    }

    /// Writes the ready file in the folder of the stack, and the one that the user named.
    private func writeReadyFiles(_ ready: StackReadyFile) throws {
        let content = Data(try JSONOutput.line(ready).utf8)
        for file in [stack.readyFile(of: "stack")] + [readyFile].compactMap(\.self) {
            try content.write(to: URL(filePath: file), options: .atomic)
        }
    }

    private func printOverview(_ gateway: GatewayReadyFile, _ agent: AgentClient?) async throws {
        guard !isQuiet else { return }
        let devices = try await agent?.devices() ?? []
        var rows = [["gateway", gateway.service], ["devices connect to", gateway.courier]]
        if let provider = gateway.providerPlaintext ?? gateway.provider { rows.append(["APNs clients", provider]) }
        if let agent { rows.append(["agent", agent.url]) }
        if stack.trustsNetwork { rows.append(["network", "trusted: everyone who can reach the gateway may call it"]) }
        rows.append(["data and logs", Self.relativePath(stack.folder.path)])
        for device in devices {
            rows.append([device.name, device.token?.rawValue ?? ""])
            if let agent { rows += try await NamedTokens(of: device.name, at: agent).rows }
        }
        let table = TextTable(header: ["Running", ""], rows: rows, untruncatedColumns: [1]).text(in: .standardOutput)
        try StandardOutput.write(table + "\n\nTry in another terminal:\n")
        for line in try await suggestions(gateway, agent, devices: devices) { try StandardOutput.write("  \(line)\n") }
        try StandardOutput.write("\nCtrl-C ends everything. What happens to notifications:\n")
    }

    /// Returns the next commands to try.
    ///
    /// The first one exports the ready file if the stack is not at the default URLs.
    private func suggestions(
        _ gateway: GatewayReadyFile,
        _ agent: AgentClient?,
        devices: [DeviceStatus]
    ) async throws -> [String] {
        var lines: [String] = []
        if gateway.service != GatewayOptions.defaultURL || agent.map({ $0.url != AgentOptions.defaultURL }) ?? false {
            lines.append("export WAYPOST_READY_FILE=\(Self.quoted(stack.readyFile(of: "stack")))")
        }
        guard let agent, let device = devices.first(where: { $0.token != nil }) else {
            return lines + [
                "waypost tokens create --topic com.example.app --token 00ff",
                "waypost send --token 00ff --topic com.example.app --title Hello",
                "waypost notifications list",
            ]
        }
        let tokens = try await NamedTokens(of: device.name, at: agent)
        let target = tokens.alertTarget(among: try await agent.appDescriptions(on: device.name))
        let (app, name) = target ?? (app: "com.example.app", name: device.name)
        return lines + [
            "waypost send --to \(Self.quoted(name)) --topic \(app) --title Hello --wait 10s",
            "waypost device open last --device \(Self.quoted(device.name))",
            "waypost notifications list",
        ]
    }

    /// Returns a path relative to the current folder, if it is in that folder.
    private static func relativePath(_ path: String) -> String {
        let currentFolder = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(currentFolder) ? String(path.dropFirst(currentFolder.count)) : path
    }

    private static func quoted(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "./".utf8.contains(byte)
        }
        return isPlain ? name : "'" + name.replacing("'", with: "'\\''") + "'"
    }

    /// Prints each notification whenever its state changes, until the task is canceled.
    private func follow(_ gateway: GatewayReadyFile, _ http: HTTPClient) async throws {
        let token = try AdminTokens.find(file: nil, dataFolder: gateway.data)
        let client = GatewayClient(http, service: gateway.service, courier: gateway.courier, adminToken: { token })
        let printer = SummarizingPrinter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(1))
                    try printer.endSecond()
                }
            }
            group.addTask { try await follow(client, printer) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func follow(_ client: GatewayClient, _ printer: SummarizingPrinter) async throws {
        // If the stream ends because a process has ended, the supervisor says which one, and ends the loop.
        while true {
            do {
                _ = try await client.followNotifications(NotificationFilter()) { notification in
                    if !isQuiet { try printer.write(notification) }
                }
            } catch  where !(error is CancellationError || error is CommandFailure) {}
            try await Task.sleep(for: Self.retryDelay)
        }
    }
}
