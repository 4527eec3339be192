internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import WaypostSchema

/// The processes of one run of a scenario, and the calls to them.
struct ScenarioEnvironment: Sendable {
    let workspace: Workspace
    private(set) var scenario: Scenario
    private let supervisor: ProcessSupervisor
    private let http: HTTPClient

    /// The gateway that the run started, or `nil` if it uses another one.
    private var ownGateway: ScenarioGateway?

    /// The URLs of the gateway.
    private(set) var urls: GatewayEndpoints

    /// The namespace of the run, or `nil` for the standard one of its own gateway.
    let namespace: Namespace?

    /// The agents, by the key of their devices.
    private var agents: [String: ScenarioAgent] = [:]

    /// The tokens of the devices, by name.
    private(set) var tokens: [String: DeviceToken] = [:]

    /// The time at which the virtual clock started.
    private(set) var startTime = Timestamp(milliseconds: 0)

    /// Copies of the files that steps name, if this machine does not have them.
    private(set) var files: RequestedFiles?

    /// Whether the clock of the gateway is a manual one.
    private(set) var hasManualClock = true

    /// Starts the agents, and a gateway if `existingGateway` is `nil`.
    init(
        _ scenario: Scenario,
        in workspace: Workspace,
        gateway existingGateway: GatewayEndpoints?,
        namespace: Namespace,
        _ supervisor: ProcessSupervisor,
        http: HTTPClient
    ) async throws {
        self.scenario = scenario
        self.workspace = workspace
        self.supervisor = supervisor
        self.http = http
        if let existingGateway {
            self.namespace = namespace
            urls = try await existingGateway.withProviderListeners(http, in: workspace)
        } else {
            self.namespace = nil
            urls = GatewayEndpoints(service: "")
            ownGateway = try ScenarioGateway(
                supervisor,
                workspace,
                keepsData: scenario.stopsGateway,
                hasTLSProviderListener: scenario.runsCommands || scenario.usesProviderAPI
            )
            try await startGateway()
        }
        try await setClock()
        for (topic, mode) in scenario.storage.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let _: AppSettings = try await service.put("/v1/apps/\(topic)", AppSettingsChange(storage: mode))
        }
        try await startAgents()
        try await completeDevices()
    }

    /// Uses a gateway and an agent that run already.
    init(
        of agent: AgentClient,
        gateway: GatewayEndpoints,
        namespace: Namespace?,
        files: RequestedFiles?,
        in workspace: Workspace,
        _ supervisor: ProcessSupervisor,
        _ http: HTTPClient
    ) async throws {
        scenario = Scenario(name: "", file: "")
        self.workspace = workspace
        self.supervisor = supervisor
        self.http = http
        self.namespace = namespace
        self.files = files
        urls = try await gateway.withProviderListeners(http, in: workspace)
        let clockReading = try await self.gateway.clock()
        hasManualClock = clockReading.clock == .manual
        startTime = clockReading.now
        try await useDevices(of: agent)
    }

    /// Sets the seed of generated identifiers.
    mutating func setSeed(_ seed: Int) {
        scenario.seed = seed
    }

    /// Uses all devices that an agent has now.
    mutating func useDevices(of agent: AgentClient) async throws {
        var devices: [ScenarioDevice] = []
        for status in try await agent.devices() {
            let description = try await agent.description(of: status.name)
            let device = ScenarioDevice(key: status.name, description: description)
            tokens[status.name] = status.token
            agents[status.name] = ScenarioAgent(device, agent, supervisor: supervisor, workspace: workspace, http: http)
            devices.append(device)
        }
        scenario.devices = devices
    }

    /// The calls of the gateway's service listener.
    var service: JSONCalls {
        JSONCalls(http, base: urls.service, token: { [token = urls.adminToken] in token }, namespace: namespace)
    }

    /// The typed calls of the gateway.
    var gateway: GatewayClient {
        GatewayClient(
            http,
            service: urls.service,
            courier: urls.service,
            adminToken: { [token = urls.adminToken] in token },
            namespace: namespace
        )
    }

    /// Returns the agent of a device.
    ///
    /// - Throws: `StepFailure` if it does not run.
    func agent(of device: String) throws(StepFailure) -> AgentClient {
        guard let client = agents[key(of: device)]?.client else {
            throw StepFailure("the agent of \(device) does not run: a step 'kill' ended it, and none restarted it")
        }
        return client
    }

    /// Returns the token of a device.
    ///
    /// - Throws: `StepFailure` if it has none.
    func token(of device: String) throws(StepFailure) -> DeviceToken {
        guard let token = tokens[device] else { throw StepFailure("\(device) is not registered") }
        return token
    }

    /// Sets the token of a device that has another one now.
    mutating func setToken(_ token: DeviceToken, of device: String) {
        tokens[device] = token
    }

    /// Returns whether the agent of a device runs.
    func isRunning(_ device: String) -> Bool {
        agents[key(of: device)]?.client != nil
    }

    /// Returns the key under which a device is described.
    func key(of device: String) -> String {
        scenario.devices.first { $0.key == device || $0.names.contains(device) }?.key ?? device
    }

    /// Returns the names of the devices that run in the same agent as a device.
    func names(inAgentOf device: String) -> [String] {
        agents[key(of: device)]?.device.names ?? []
    }
}

extension ScenarioEnvironment {
    /// Starts the gateway, or starts it again.
    mutating func startGateway() async throws {
        guard let ready = try await ownGateway?.start() else { throw StepFailure.externalGateway }
        urls = GatewayEndpoints(ready, adminToken: nil)
    }

    /// Ends the gateway.
    mutating func endGateway(_ ending: SupervisedProcess.Ending) async throws {
        guard ownGateway != nil else { throw StepFailure.externalGateway }
        try await ownGateway?.end(ending)
    }

    /// Ends the agent of a device.
    mutating func endAgent(of device: String, _ ending: SupervisedProcess.Ending) async throws {
        guard agents[key(of: device)]?.isExternal != true else { throw StepFailure.externalAgent }
        try await agents[key(of: device)]?.end(ending)
    }

    /// Starts the agent of a device again.
    mutating func startAgent(of device: String) async throws {
        try await agents[key(of: device)]?.start()
    }

    /// Waits until the devices in the agent of a device are connected, other than those that are offline.
    func waitUntilConnected(_ device: String, except offlineDevices: Set<String>) async throws {
        let agent = agents[key(of: device)]
        try await agent?.waitUntilConnected(names(inAgentOf: device).count { !offlineDevices.contains($0) })
    }

    /// Sets the clock to the start of the scenario.
    private mutating func setClock() async throws {
        let clockReading = try await gateway.clock()
        hasManualClock = clockReading.clock == .manual
        startTime = clockReading.now
        guard hasManualClock, let clockStart = scenario.clockStart else { return }
        guard clockStart > clockReading.now else {
            throw StepFailure(
                "'start' must be later than the time of this machine, because the clock only moves forward"
            )
        }
        startTime = try await gateway.advanceClock(ClockAdvance(to: clockStart)).now
    }

    private mutating func startAgents() async throws {
        var arguments = ["--gateway", urls.service, "--clock", hasManualClock ? "gateway" : "system"]
        if let courier = ownGateway?.ready?.courier { arguments += ["--courier", courier] }
        if let namespace { arguments += ["--namespace", namespace.rawValue] }
        for device in scenario.devices {
            agents[device.key] = ScenarioAgent(
                device,
                arguments,
                supervisor: supervisor,
                workspace: workspace,
                http: http
            )
        }
        // The processes start side by side; the devices register one after another, so that every run is the same.
        agents = try await withThrowingTaskGroup(of: ScenarioAgent.self) { group in
            for agent in agents.values {
                group.addTask {
                    var agent = agent
                    try await agent.start()
                    return agent
                }
            }
            var runningAgents: [String: ScenarioAgent] = [:]
            for try await agent in group { runningAgents[agent.device.key] = agent }
            return runningAgents
        }
        for device in scenario.devices {
            guard let agent = agents[device.key] else { continue }
            tokens.merge(try await agent.addDevices()) { _, new in new }
            for name in device.names { try await fetchAssociationFiles(of: name, device.description, agent: agent) }
        }
    }

    /// Fetches the association files of a device.
    private func fetchAssociationFiles(
        of name: String,
        _ description: DeviceDescription,
        agent: ScenarioAgent
    ) async throws {
        let hasDomains = description.apps.contains { !$0.associatedDomains.isEmpty }
        guard hasDomains, let client = agent.client else { return }
        do throws(CallError) {
            _ = try await client.checkAssociations(of: name)
        } catch {
            // A device in Airplane Mode keeps the files that it has.
            guard case .refused(_, let answer) = error, answer.code == "offline" else { throw error }
        }
    }

    /// Completes all devices, once every device has a token.
    private func completeDevices() async throws {
        for device in scenario.devices {
            for name in device.names { try await complete(name) }
        }
    }

    /// Adds to a device what its agent's description lacks: the tokens of contacts, and the user's consent.
    private func complete(_ device: String) async throws {
        guard let agent = agents[key(of: device)], let client = agent.client else { return }
        for contact in agent.device.description.contacts ?? [] where contact.tokens?.isEmpty == false {
            _ = try await client.apply(.sharing(.contactChanged(withTokens(contact))), to: device)
        }
        for event in agent.device.consent {
            for case .system(.eventIgnored(let ignored)) in try await client.apply(event, to: device).effects {
                throw StepFailure("'consent' of \(device): \(ignored.explanation)")
            }
        }
    }

    /// Completes a device that was reset to its description.
    func completeAfterReset(_ device: String) async throws {
        guard let agent = agents[key(of: device)], let client = agent.client, !agent.isExternal else { return }
        try await complete(device)
        if agent.device.description.airplaneMode {
            _ = try await client.apply(.setting(.airplaneModeSet(isOn: true)), to: device)
        }
    }

    /// Returns a contact with the tokens of devices instead of their names.
    func withTokens(_ contact: Contact) -> Contact {
        var contact = contact
        contact.tokens = contact.tokens?.flatMap { token in
            scenario.deviceNames(for: token.rawValue).map { tokens[$0] ?? token }
        }
        return contact
    }
}

extension Scenario {
    /// The default start of the virtual clock: a time in the future on every machine.
    private static let defaultStart = Timestamp(milliseconds: 2_524_608_000_000)

    /// The start of the virtual clock, or `nil` for the time of the machine.
    ///
    /// Clients compute expirations from the time of the machine.
    fileprivate var clockStart: Timestamp? {
        start ?? (runsCommands ? nil : Self.defaultStart)
    }

    /// Whether a step sends over the provider API.
    fileprivate var usesProviderAPI: Bool {
        steps.contains { step in
            guard case .send(let sendings) = step.action else { return false }
            return sendings.contains { $0.over == .provider || $0.channel != nil }
        }
    }
}

extension ScenarioDevice {
    /// The device with contacts without tokens; their tokens are still the names of devices.
    var withoutContactTokens: Self {
        var device = self
        device.description.contacts = description.contacts?.map { contact in
            var contact = contact
            contact.tokens = nil
            return contact
        }
        return device
    }
}
