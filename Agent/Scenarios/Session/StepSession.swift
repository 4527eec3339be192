internal import AsyncHTTPClient
package import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import SchemaFiles
package import WaypostSchema

/// Steps that another program writes, a line each, for the devices of an agent that runs.
///
/// A line is a step of a scenario as JSON, with an `id` that its answer repeats. The lines are performed in order.
package struct StepSession: Sendable {
    private let agent: AgentReadyFile
    private let gateway: GatewayEndpoints
    private let namespace: Namespace?
    private let folder: URL
    private let seed: Int

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - agent: the URLs of the agent.
    ///   - gateway: the URLs of its gateway.
    ///   - namespace: the namespace of its devices, or `nil` for the standard one.
    ///   - folder: the folder for the logs of apps and commands, which the session creates and removes.
    ///   - seed: the seed of generated identifiers, which must be another one for each session in a namespace.
    package init(agent: AgentReadyFile, gateway: GatewayEndpoints, namespace: Namespace?, folder: URL, seed: Int) {
        self.agent = agent
        self.gateway = gateway
        self.namespace = namespace
        self.folder = folder
        self.seed = seed
    }

    /// Performs the steps of all lines, and writes an answer to each; meanwhile writes what happens on the devices.
    ///
    /// - Parameters:
    ///   - input: the lines.
    ///   - write: writes a line.
    /// - Throws: `CallError` if the agent or its gateway cannot be called, or the error of `write`.
    package func run(
        _ input: SessionInput,
        write: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let workspace = try Workspace(in: folder.deletingLastPathComponent(), named: folder.lastPathComponent)
        defer { workspace.remove() }
        let groups = ProcessGroups()
        defer { groups.end() }
        try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            let client = AgentClient(http, control: agent.control, token: agent.controlToken)
            try await ProcessSupervisor.run { supervisor in
                var environment = try await ScenarioEnvironment(
                    of: client,
                    gateway: gateway,
                    namespace: namespace,
                    files: input.files,
                    in: workspace,
                    supervisor,
                    http
                )
                environment.setSeed(seed)
                try await write(SessionLine.ready(agent, environment).text)
                let devices = environment.scenario.deviceNames
                try await withThrowingDiscardingTaskGroup { followers in
                    for device in devices {
                        followers.addTask { try await follow(device, of: client, write) }
                    }
                    var responder = LineResponder(
                        try FileSchema.scenario(),
                        ScenarioRun(environment, supervisor, groups: groups, http: http),
                        client: client
                    )
                    for await line in input.steps { try await write(await responder.respond(to: line).text) }
                    followers.cancelAll()
                }
            }
        }
    }

    /// Writes what happens on a device until the task is canceled, or the agent ends.
    private func follow(
        _ device: String,
        of client: AgentClient,
        _ write: @Sendable (String) async throws -> Void
    ) async throws {
        do {
            try await client.follow(device) { effect in
                try await write(SessionLine.event(effect, of: device).text)
            }
        } catch  where Task.isCancelled || error is CallError {
            // The session ends, or the device was removed: there is nothing more to follow.
        }
    }
}

/// Performs the steps of a session, and returns the line that answers each.
private struct LineResponder {
    private let schema: FileSchema
    private let run: ScenarioRun
    private let client: AgentClient

    init(_ schema: FileSchema, _ run: ScenarioRun, client: AgentClient) {
        self.schema = schema
        self.run = run
        self.client = client
    }

    /// Performs the step of a line.
    mutating func respond(to line: String) async -> SessionLine {
        var id: JSONValue?
        do {
            // Between two lines, the devices may have changed through the control API.
            try await run.environment.useDevices(of: client)
            for device in run.scenario.devices { run.updateState(of: device.key, from: device.description) }
            let readsFiles = run.environment.files == nil
            let request = try StepRequest(line, schema, names: run.names, readsFiles: readsFiles, id: &id)
            switch request {
            case .step(let step):
                var answer = try await run.perform(step)
                // A library compares the calls after the step.
                if answer.openedScene?.cause != nil { answer.callbacks = try await run.callbacks(of: answer) }
                return .passed(id, answer)
            case .finish:
                guard let (_, failure) = try await run.finish() else { return .passed(id, StepAnswer()) }
                return .failed(id, failure)
            }
        } catch let failure as StepFailure {
            return .failed(id, failure)
        } catch let findings as FileFindings {
            return .refused(id, findings)
        } catch {
            return .failed(id, StepFailure(DecodingError.sentence(of: error)))
        }
    }
}
