internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import TextBasics
internal import WaypostSchema

/// The options that locate an agent, for every command that calls one.
struct AgentOptions: ParsableArguments {
    /// The URL of the agent of `waypost up`.
    static let standard = "http://127.0.0.1:7340"

    @Option(
        help: ArgumentHelp("The base URL of the agent's control API (default: \(standard)).", valueName: "url")
    )
    var agent: String?

    @Option(help: ArgumentHelp("Read the agent's URLs from its ready file.", valueName: "file"), completion: .file())
    var readyFile: String?

    @OptionGroup var call: CallOptions

    /// Returns options for the agent that belongs to a gateway, or for the one at a URL.
    static func beside(_ gateway: GatewayOptions, at url: String?) throws -> Self {
        let stack = gateway.readyFile.flatMap { ReadyFiles.isOfStack($0) ? $0 : nil }
        let place = url.map { ["--agent", $0] } ?? stack.map { ["--ready-file", $0] } ?? []
        return try parse(place + (gateway.call.context.map { ["--context", $0] } ?? []))
    }

    func validate() throws {
        guard agent == nil || readyFile == nil else { throw ValidationError("give one of --agent and --ready-file") }
    }

    /// The place of the control API of an agent.
    struct Location: Equatable {
        /// The base URL.
        var control: String

        /// The token, if there is one.
        var token: String?
    }

    /// Returns the location that options, the environment and the contexts name, in this order.
    ///
    /// - Throws: `CommandFailure` if a file cannot be used, or a value is not valid.
    func location(
        in file: @autoclosure () throws -> ContextsFile = try SettingsFolder().read(),
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Location {
        let options = ContextSettings(agent: agent, agentReadyFile: readyFile)
        let levels = [options, .inEnvironment(environment), try file().present(call.context, environment)]
        let level = levels.first { $0.agent != nil || $0.readyFileOfAgent != nil }
        let ready = try level?.readyFileOfAgent.map {
            try ReadyFiles.read(AgentReadyFile.self, called: "agent", from: $0)
        }
        let control = ready?.control ?? level?.agent ?? Self.standard
        if let error = ListenerURL.error(in: control) { throw CommandFailure.unusable(error) }
        return Location(control: control, token: ready?.controlToken ?? environment["WAYPOST_CONTROL_TOKEN"])
    }

    /// Calls an agent.
    ///
    /// - Throws: `CommandFailure` for unusable input if the agent refuses it; `CallError` for status 404, a server's
    ///   error or an unreachable agent, which mean that the answer is no.
    func calling<Value>(_ work: (AgentClient) async throws -> Value) async throws -> Value {
        let location = try location()
        return try await CommandFailure.refusedInput {
            let hint = "start an agent with 'waypost up', or name another one with --agent or 'waypost context'"
            return try await CommandFailure.suggesting(hint, "the control API of an agent") {
                try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
                    try await work(AgentClient(http, control: location.control, token: location.token, log: call.log))
                }
            }
        }
    }
}

/// The options that name a device of an agent.
struct DeviceOptions: ParsableArguments {
    @OptionGroup(title: "Agent") var agent: AgentOptions

    @Option(
        help: ArgumentHelp("The device (default: the agent's first device).", valueName: "name"),
        completion: .devices
    )
    var device: String?

    /// Calls an agent about the device.
    ///
    /// - Throws: as `AgentOptions.calling`.
    func calling<Value>(_ work: (AgentClient, String) async throws -> Value) async throws -> Value {
        try await agent.calling { client in
            if let device { return try await suggestingDevice(client) { try await work(client, device) } }
            guard let first = try await client.devices().first else {
                throw CommandFailure.no("the agent has no device")
            }
            return try await work(client, first.name)
        }
    }
}

extension DeviceOptions {
    /// Calls an agent, and names the device that is probably meant if there is none with the name.
    private func suggestingDevice<Value>(_ client: AgentClient, _ call: () async throws -> Value) async throws -> Value
    {
        do {
            return try await call()
        } catch let error as CallError {
            guard case .refused(404, let answer) = error, answer.code == "unknownDevice", let device else {
                throw error
            }
            let names = try await client.devices().map(\.name)
            let hint = device.nearest(among: names).map { "did you mean '\($0)'?" } ?? "see 'waypost device list'"
            throw CommandFailure.no("the agent has no device '\(device)'; \(hint)")
        }
    }
}

extension ContextSettings {
    /// The ready file that has the place of the agent: its own, or that of a stack; `nil` if there is none.
    fileprivate var readyFileOfAgent: String? {
        agentReadyFile ?? readyFile.flatMap { ReadyFiles.isOfStack($0) ? $0 : nil }
    }
}
