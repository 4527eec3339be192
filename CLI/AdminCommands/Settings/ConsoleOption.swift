internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import WaypostSchema

/// The option that shows a run in the console of a gateway.
struct ConsoleOption: ParsableArguments {
    /// The environment variable with the default.
    static let variable = "WAYPOST_CONSOLE"

    @Option(
        help: ArgumentHelp(
            """
            Show the run in the console of the gateway whose service listener has this base URL (default: the \
            environment variable \(variable), or else the gateway that the run was given).
            """,
            valueName: "url"
        )
    )
    var console: String?

    func validate() throws {
        if let error = console.flatMap(ListenerURL.error) { throw ValidationError(error) }
    }

    /// A gateway with a console.
    struct Place {
        /// The base URL of the service listener.
        var service: String

        /// The administrative token, if there is one.
        var token: String?

        /// The namespace; `nil` for the standard one.
        var namespace: Namespace?
    }

    /// Calls `work` with a reporter, and reports the end of the run.
    ///
    /// - Parameters:
    ///   - kind: what runs.
    ///   - name: the name of the run.
    ///   - given: the gateway that the run was given, if any.
    ///   - adminTokenFile: the file with the administrative token of a gateway that the option names.
    ///   - hasPassed: whether a result is as expected.
    ///   - work: the run.
    /// - Returns: the result of `work`.
    func reporting<Value: Sendable>(
        _ kind: RunKind,
        _ name: String,
        given: Place?,
        adminTokenFile: String? = nil,
        hasPassed: @escaping @Sendable (Value) -> Bool,
        _ work: @Sendable (RunReporter) async throws -> Value
    ) async throws -> Value {
        let named = console ?? ProcessInfo.processInfo.environment[Self.variable]
        let place = try named.map { url in
            if let error = ListenerURL.error(in: url) { throw CommandFailure.unusable("\(Self.variable): \(error)") }
            return Place(service: url, token: try AdminTokens.find(in: adminTokenFile, besides: nil))
        }
        let announcement = RunAnnouncement(kind: kind, name: name)
        guard let place = place ?? given else {
            return try await RunReporter.run(announcement, to: nil, hasPassed: hasPassed, warn: { _ in }, work)
        }
        return try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            let client = GatewayClient(
                http,
                service: place.service,
                courier: nil,
                adminToken: place.token,
                namespace: place.namespace
            )
            return try await RunReporter.run(
                announcement,
                to: client,
                hasPassed: hasPassed,
                warn: { StandardError.write("warning: \($0)") },
                work
            )
        }
    }
}
