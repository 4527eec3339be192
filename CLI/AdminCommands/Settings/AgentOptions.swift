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
    static let defaultURL = "http://127.0.0.1:7340"

    @Option(
        help: ArgumentHelp("The base URL of the agent's control API (default: \(defaultURL)).", valueName: "url")
    )
    var agent: String?

    @Option(help: ArgumentHelp("Read the agent's URLs from its ready file.", valueName: "file"), completion: .file())
    var readyFile: String?

    @OptionGroup var call: CallOptions

    /// Returns options for the agent at a URL or, without one, for the agent of the same stack as a gateway.
    static func forAgent(at url: String?, orInStackOf gateway: GatewayOptions) throws -> Self {
        let stackReadyFile = gateway.readyFile.flatMap { ReadyFiles.isOfStack($0) ? $0 : nil }
        let location = url.map { ["--agent", $0] } ?? stackReadyFile.map { ["--ready-file", $0] } ?? []
        return try parse(location + (gateway.call.context.map { ["--context", $0] } ?? []))
    }

    func validate() throws {
        guard agent == nil || readyFile == nil else { throw ValidationError("give one of --agent and --ready-file") }
    }

    /// The location of the control API of an agent.
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
        in file: @autoclosure () throws -> ContextsFile = try ContextsStorage().read(),
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Location {
        let options = ContextSettings(agent: agent, agentReadyFile: readyFile)
        let context = try file().currentSettings(option: call.context, environment)
        let settingsByPrecedence = [options, .inEnvironment(environment), context]
        let settings = settingsByPrecedence.first { $0.agent != nil || $0.agentOrStackReadyFile != nil }
        let ready = try settings?.agentOrStackReadyFile.map {
            try ReadyFiles.read(AgentReadyFile.self, called: "agent", from: $0)
        }
        let control = ready?.control ?? settings?.agent ?? Self.defaultURL
        if let error = ListenerURL.error(in: control, example: Self.defaultURL) { throw CommandFailure.unusable(error) }
        return Location(control: control, token: ready?.controlToken ?? environment["WAYPOST_CONTROL_TOKEN"])
    }

    /// Calls `work` with a client of the agent, and reports a refused request as unusable input.
    ///
    /// - Throws: `CommandFailure` with exit status 2 if the agent refuses the input, and with 69 if it
    ///   cannot be reached; `CallError` for status 404, for what a device refuses, and for server errors.
    func withClient<Value>(_ work: (AgentClient) async throws -> Value) async throws -> Value {
        let location = try location()
        return try await CommandFailure.reportingRefusalAsUnusableInput { () async throws -> Value in
            let hint = "start an agent with 'waypost up', or name another one with --agent or 'waypost context'"
            do {
                return try await CommandFailure.withConnectionHint(hint, listener: "the control API of an agent") {
                    try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
                        try await work(
                            AgentClient(http, control: location.control, token: location.token, log: call.log)
                        )
                    }
                }
            } catch CallError.refused(status: 401, _) {
                throw CommandFailure.unusable(
                    location.token == nil
                        ? "the agent needs its control token; use --ready-file or WAYPOST_CONTROL_TOKEN"
                        : "the control token is not that of the agent at \(location.control)"
                )
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

    /// Calls `work` with a client of the agent and the name of the device.
    ///
    /// - Throws: as `AgentOptions.withClient`.
    func withDevice<Value>(_ work: (AgentClient, String) async throws -> Value) async throws -> Value {
        try await agent.withClient { client in
            // The agent takes "-" for its first device.
            try await withDeviceHint(client) { try await work(client, device ?? "-") }
        }
    }
}

extension DeviceOptions {
    /// Calls an agent, and suggests a similar name if the agent has no device with the name in the option.
    private func withDeviceHint<Value>(_ client: AgentClient, _ call: () async throws -> Value) async throws -> Value {
        do {
            return try await call()
        } catch let error as CallError {
            guard case .refused(404, let answer) = error, answer.code == "unknownDevice" else { throw error }
            guard let device else { throw CommandFailure.failed("the agent has no device") }
            let names = try await client.devices().map(\.name)
            let hint = device.nearest(among: names).map { "did you mean '\($0)'?" } ?? "see 'waypost device list'"
            throw CommandFailure.failed("the agent has no device '\(device)'; \(hint)")
        }
    }
}

extension ContextSettings {
    /// The ready file with the location of the agent: its own, or that of a stack; `nil` if there is none.
    fileprivate var agentOrStackReadyFile: String? {
        agentReadyFile ?? readyFile.flatMap { ReadyFiles.isOfStack($0) ? $0 : nil }
    }
}
