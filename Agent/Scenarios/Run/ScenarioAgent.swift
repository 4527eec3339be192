internal import AsyncHTTPClient
internal import GatewayClient
internal import LocalProcesses
internal import WaypostSchema

/// The agent of a device of a scenario, or of several with the same description.
struct ScenarioAgent: Sendable {
    let device: ScenarioDevice

    private let supervisor: ProcessSupervisor
    private let workspace: Workspace
    private let arguments: [String]
    private let http: HTTPClient
    private var process: SupervisedProcess?

    /// The calls of the agent, or `nil` while it does not run.
    private(set) var client: AgentClient?

    /// Prepares an agent; `arguments` are those about its gateway.
    init(
        _ device: ScenarioDevice,
        _ arguments: [String],
        supervisor: ProcessSupervisor,
        workspace: Workspace,
        http: HTTPClient
    ) {
        self.device = device
        self.arguments = arguments
        self.supervisor = supervisor
        self.workspace = workspace
        self.http = http
    }

    /// Uses an agent that runs already.
    init(
        _ device: ScenarioDevice,
        _ client: AgentClient,
        supervisor: ProcessSupervisor,
        workspace: Workspace,
        http: HTTPClient
    ) {
        self.init(device, [], supervisor: supervisor, workspace: workspace, http: http)
        self.client = client
    }

    /// Whether the agent was running before the scenario.
    var isExternal: Bool {
        client != nil && process == nil
    }

    /// Starts the agent, with the devices of an earlier start.
    mutating func start() async throws {
        let file = workspace.makeReadyFilePath(of: "agent-\(device.key)")
        let process = supervisor.start(
            "waypost-agent",
            arguments + ["--data", workspace.dataPath(of: "device-\(device.key)"), "--ready-file", file],
            name: "the agent of \(device.key)",
            log: workspace.logPath(of: "agent-\(device.key)")
        )
        self.process = process
        let ready = try await process.waitUntilReady(AgentReadyFile.self, at: file)
        client = AgentClient(http, control: ready.control, token: ready.controlToken)
    }

    /// Adds the devices, and waits until they are registered and connected.
    ///
    /// - Returns: the tokens of the devices, by name.
    func addDevices() async throws -> [String: DeviceToken] {
        guard let client else { return [:] }
        var description = device.withoutContactTokens.description
        // A device that is offline from the start registers before it goes offline.
        description.airplaneMode = false
        _ = try await client.create(DeviceCreation(device: description, count: device.count))
        try await waitUntilConnected(device.names.count)
        let statuses = try await client.devices()
        return Dictionary(
            statuses.compactMap { status in status.token.map { (status.name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Waits until a number of the devices are connected.
    func waitUntilConnected(_ count: Int) async throws {
        guard count > 0 else { return }
        let connectedCount = try await client?.connectedDevices(atLeast: count).count ?? 0
        guard connectedCount < count else { return }
        throw ProcessFailure.failed(
            "only \(connectedCount) of \(count) devices of '\(device.key)' connected to the gateway"
        )
    }

    /// Ends the agent.
    mutating func end(_ ending: SupervisedProcess.Ending) async throws {
        try await process?.end(ending)
        process = nil
        client = nil
    }
}
