internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import WaypostSchema

/// The option that shows a run in the console of a gateway.
struct ConsoleOption: ParsableArguments {
    /// The environment variable with the default.
    static let environmentVariable = "WAYPOST_CONSOLE"

    /// The environment variable with the administrative token of that gateway.
    static let tokenEnvironmentVariable = "WAYPOST_CONSOLE_TOKEN"

    @Option(
        help: ArgumentHelp(
            """
            Show the run in the console of the gateway whose service listener has this base URL (default: the \
            environment variable \(environmentVariable), or else the gateway that the run uses). Its administrative \
            token, if it demands one, is \(tokenEnvironmentVariable).
            """,
            valueName: "url"
        )
    )
    var console: String?

    func validate() throws {
        if let error = console.flatMap({ ListenerURL.error(in: $0) }) { throw ValidationError(error) }
    }

    /// A gateway with a console.
    struct Gateway: Equatable {
        /// The base URL of the service listener.
        var service: String

        /// The administrative token, if there is one.
        var token: String?

        /// The namespace; `nil` for the standard one.
        var namespace: Namespace?

        /// Creates the gateway at the location that a run uses.
        init(_ location: GatewayOptions.Location) {
            self.init(service: location.service, token: location.token, namespace: location.namespace)
        }

        /// Creates the gateway at a URL.
        init(service: String, token: String? = nil, namespace: Namespace? = nil) {
            self.service = service
            self.token = token
            self.namespace = namespace
        }
    }

    /// Returns the gateway whose console shows the run, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - runGateway: the gateway that the run uses, unless it starts one of its own.
    ///   - environment: the environment variables.
    /// - Returns: the gateway. The token of the gateway that the run uses is for that gateway only.
    /// - Throws: `CommandFailure` if the URL in the environment cannot be used.
    func gateway(
        besides runGateway: Gateway?,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Gateway? {
        guard let url = console ?? environment[Self.environmentVariable].flatMap({ $0.isEmpty ? nil : $0 }) else {
            return runGateway
        }
        if let error = ListenerURL.error(in: url) {
            throw CommandFailure.unusable("\(Self.environmentVariable): \(error)")
        }
        if let runGateway, runGateway.service == url { return runGateway }
        return Gateway(service: url, token: environment[Self.tokenEnvironmentVariable])
    }

    /// Calls `work` with a reporter, and reports the end of the run.
    ///
    /// - Parameters:
    ///   - kind: the kind of run.
    ///   - name: the name of the run.
    ///   - runGateway: the gateway that the run uses, unless it starts one of its own.
    ///   - outcome: returns the outcome of a run that did not throw.
    ///   - work: the run.
    /// - Returns: the result of `work`.
    /// - Throws: what `work` throws, and `CommandFailure` if the gateway cannot be used.
    func withReporter<Value: Sendable>(
        for kind: RunKind,
        named name: String,
        on runGateway: Gateway?,
        outcome: @escaping @Sendable (Value) -> RunOutcome,
        work: @Sendable (RunReporter) async throws -> Value
    ) async throws -> Value {
        let announcement = RunAnnouncement(kind: kind, name: name)
        guard let gateway = try gateway(besides: runGateway) else {
            return try await RunReporter.run(announcement, to: nil, outcome: outcome, warn: { _ in }, work)
        }
        return try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            let client = GatewayClient(
                http,
                service: gateway.service,
                courier: nil,
                adminToken: { [token = gateway.token] in token },
                namespace: gateway.namespace
            )
            return try await RunReporter.run(
                announcement,
                to: client,
                outcome: outcome,
                warn: { StandardError.write("warning: \($0)") },
                work
            )
        }
    }
}

extension RunOutcome {
    /// Creates the outcome of a run that was not interrupted.
    init(hasPassed: Bool) {
        self = hasPassed ? .passed : .failed
    }
}
