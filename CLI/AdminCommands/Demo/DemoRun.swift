internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import PushRules
internal import TextReports
internal import WaypostSchema

/// One run of a demo: starts the processes, sends the batch, opens the notifications and stops the processes.
struct DemoRun: Sendable {
    let script: DemoScript
    let workspace: DemoWorkspace
    let pausesBeforeOpening: Bool

    /// The folder for the pictures, or `nil` for no pictures.
    let pictures: String?

    /// The time-out for the acknowledgements of the batch.
    private static let acknowledgementTimeoutSeconds = 30

    /// Runs the demo and returns what each notification opened, in the order of the batch, and the links on the
    /// shelves.
    ///
    /// - Throws: `CommandFailure` if a process ends early or does not answer. All started processes are stopped.
    func run() async throws -> [DemoRow] {
        try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            try await ProcessSupervisor.run { supervisor in try await run(supervisor, http) }
        }
    }

    private func run(_ supervisor: ProcessSupervisor, _ http: HTTPClient) async throws -> [DemoRow] {
        let gateway = try await startGateway(supervisor)
        let client = GatewayClient(http, service: gateway.service, courier: gateway.courier)
        var agents: [String: AgentClient] = [:]
        for device in script.devices {
            let ready = try await startAgent(device, gateway, supervisor: supervisor)
            agents[device.name] = AgentClient(http, control: ready.control, token: ready.controlToken)
        }
        for app in script.apps { try await startApp(app, agents, supervisor: supervisor) }
        let receipt = try await send(try await batchWithTokens(agents), client)
        try await waitForAcknowledgements(of: receipt, client)
        if pausesBeforeOpening { await DemoPause.waitForReturn() }
        let shelf = DemoShelf(script: script, agents: agents)
        try await shelf.performActions()
        var rows = try await open(agents).map { DemoRow.notification($0) } + shelf.links().map { .link($0) }
        try await waitUntilActivationsAreTaken(agents)
        let stepRun = DemoStepRun(agents: agents, http: http)
        for step in script.steps { rows.append(.step(try await stepRun.perform(step))) }
        try await waitUntilActivationsAreTaken(agents)
        if !script.apps.isEmpty { DemoProgress.report("apps", "took all activations of their scenes") }
        if let pictures { try await shelf.draw(in: pictures) }
        return rows
    }

    private func waitUntilActivationsAreTaken(_ agents: [String: AgentClient]) async throws {
        for app in script.apps {
            try await agents[app.device]?.waitUntilActivationsAreTaken(by: app.app, on: app.device)
        }
    }

    /// Starts an app as a separate process, which attaches to its device.
    private func startApp(
        _ app: DemoScript.AppProcess,
        _ agents: [String: AgentClient],
        supervisor: ProcessSupervisor
    ) async throws {
        guard let agent = agents[app.device] else { return }
        let name = "app-\(app.app)-\(app.device)"
        let process = supervisor.start(
            "waypost",
            ["app", "run", "--agent", agent.url, "--app", app.path, "--device", app.device, "--format", "jsonl"],
            name: "the app \(app.app) on \(app.device)",
            log: workspace.logFile(of: name)
        )
        try await agent.waitUntilRunning(app.app, on: app.device)
        DemoProgress.report("app", "\(app.app)  pid \(process.identifier)  device \(app.device)")
    }

    private func startGateway(_ supervisor: ProcessSupervisor) async throws -> GatewayReadyFile {
        let readyFile = workspace.readyFile(of: "gateway")
        let arguments = [
            "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0",
            "--ready-file", readyFile, "--store", "sqlite", "--data", workspace.dataFolder(of: "gateway"),
        ]
        let process = supervisor.start(
            "waypost-gateway",
            arguments,
            name: "gateway",
            log: workspace.logFile(of: "gateway")
        )
        let ready = try await process.waitUntilReady(GatewayReadyFile.self, at: readyFile)
        DemoProgress.report("gateway", "service \(ready.service)  courier \(ready.courier)  pid \(process.identifier)")
        DemoProgress.report("store", "sqlite, in \(ready.data ?? "memory")")
        return ready
    }

    private func startAgent(
        _ device: DemoScript.Device,
        _ gateway: GatewayReadyFile,
        supervisor: ProcessSupervisor
    ) async throws -> AgentReadyFile {
        let name = "agent-\(URL(filePath: device.path).deletingPathExtension().lastPathComponent)"
        let readyFile = workspace.readyFile(of: name)
        let arguments = [
            "--device", device.path, "--gateway", gateway.service, "--courier", gateway.courier, "--ready-file",
            readyFile,
        ]
        let process = supervisor.start(
            "waypost-agent",
            arguments,
            name: "the agent of \(device.name)",
            log: workspace.logFile(of: name)
        )
        let ready = try await process.waitUntilReady(AgentReadyFile.self, at: readyFile)
        DemoProgress.report("agent", "control \(ready.control)  pid \(process.identifier)  device \(device.name)")
        return ready
    }

    /// Returns the batch with tokens instead of device names, also on cards of Contacts.
    ///
    /// A notification goes to the token of an app that is for it or, if no app has one, to that of the device.
    private func batchWithTokens(_ agents: [String: AgentClient]) async throws -> [BatchItem] {
        var deviceTokens: [String: DeviceToken] = [:]
        var appTokens: [String: [AppToken]] = [:]
        for device in script.devices {
            guard let agent = agents[device.name] else { continue }
            deviceTokens[device.name] = try await agent.devices().first { $0.name == device.name }?.token
            appTokens[device.name] = try await tokensOfApps(on: device, agent)
        }
        return script.batch.map { item in
            var item = item
            let device = item.token.rawValue
            let appToken = appTokens[device]?.first { $0.purpose.isFor(item.topic, payload: item.payload) }?.token
            item.token = appToken ?? deviceTokens[device] ?? item.token
            item.payload = item.payload.replacingContactTokens(with: deviceTokens)
            return item
        }
    }

    /// Returns the tokens of the apps on a device that declare them, once the gateway has assigned them.
    private func tokensOfApps(on device: DemoScript.Device, _ agent: AgentClient) async throws -> [AppToken] {
        let requestedCount = try await agent.tokens(of: device.name).count
        let tokens = try await agent.tokens(of: device.name, atLeast: requestedCount)
        for token in tokens {
            guard token.token != nil else {
                throw CommandFailure.failed("\(device.name) has no token for \(token.purpose.text)")
            }
            DemoProgress.report("token", "\(token.purpose.text)  device \(device.name)")
        }
        return tokens
    }

    private func send(_ items: [BatchItem], _ client: GatewayClient) async throws -> BatchReceipt {
        let lines = try items.map { try JSONOutput.line($0) + "\n" }.joined()
        let receipt = try await client.send(Array(lines.utf8))
        DemoProgress.report(
            "batch",
            "\(receipt.accepted) accepted, \(receipt.rejected) rejected, gzip-compressed; durable: \(receipt.durability)"
        )
        for result in receipt.results {
            StandardError.write("  line \(result.line): \(result.message ?? "")")
        }
        guard receipt.rejected == 0 else { throw CommandFailure.failed("the gateway rejected part of the batch") }
        return receipt
    }

    private func waitForAcknowledgements(of receipt: BatchReceipt, _ client: GatewayClient) async throws {
        let status = try await client.settledStatus(of: receipt.id, within: Self.acknowledgementTimeoutSeconds)
        guard status.states == [.acknowledged: receipt.accepted] else {
            let states = status.states.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
            throw CommandFailure.failed("not all notifications were acknowledged: \(states)")
        }
        DemoProgress.report("devices", "acknowledged all \(receipt.accepted)")
    }

    private func open(_ agents: [String: AgentClient]) async throws -> [DemoOutcome] {
        var outcomes: [DemoOutcome] = []
        for (item, expectation) in zip(script.openableItems, script.expectations) {
            guard let agent = agents[item.token.rawValue] else { continue }
            let openedScene = try await agent.open(expectation.notification, on: item.token.rawValue)
            outcomes.append(DemoOutcome(openedScene, expectation: expectation))
        }
        return outcomes
    }
}

/// The progress messages of the demo.
enum DemoProgress {
    /// Writes a line that begins with its subject.
    static func report(_ subject: String, _ message: String) {
        StandardError.write(subject + String(repeating: " ", count: max(2, 10 - subject.count)) + message)
    }
}

/// A pause that the user ends.
enum DemoPause {
    /// Waits for Return, the end of standard input or the task's cancellation.
    static func waitForReturn() async {
        DemoProgress.report("paused", "everything is running; press Return to open the notifications")
        let (returnPresses, continuation) = AsyncStream.makeStream(of: Void.self)
        // Reading blocks, so it uses a separate thread, which ends with the input line or with the process.
        Thread.detachNewThread {
            _ = readLine()
            continuation.finish()
        }
        for await _ in returnPresses {}
    }
}

extension JSONValue {
    /// Returns a Contacts event with device tokens instead of device names; any other value is unchanged.
    fileprivate func replacingContactTokens(with tokens: [String: DeviceToken]) -> JSONValue {
        guard case .object(var event) = self, case .object(var contact)? = event["contact"],
            case .array(let names)? = contact["tokens"]
        else { return self }
        contact["tokens"] = .array(
            names.map { name in
                guard case .string(let string) = name, let token = tokens[string] else { return name }
                return .string(token.rawValue)
            }
        )
        event["contact"] = .object(contact)
        return .object(event)
    }
}
