internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import JSONScanning
internal import LocalProcesses
internal import WaypostSchema

/// The options that locate a gateway, for every command that calls one.
struct GatewayOptions: ParsableArguments {
    /// The URL of the gateway if no setting names another.
    static let defaultURL = "http://127.0.0.1:7330"

    @Option(
        help: ArgumentHelp(
            "The base URL of the gateway's service listener (default: the context's, or else \(defaultURL)).",
            valueName: "url"
        )
    )
    var gateway: String?

    @Option(help: ArgumentHelp("Read the gateway's URLs from its ready file.", valueName: "file"), completion: .file())
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            """
            Read the administrative token from this file (default: the environment variable WAYPOST_ADMIN_TOKEN, or \
            else the token in the data folder that the ready file names).
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var adminTokenFile: String?

    @Option(help: "The namespace (default: default).")
    var namespace: String?

    @OptionGroup var call: CallOptions

    func validate() throws {
        if let error = namespace.flatMap(Namespace.error) { throw ValidationError(error) }
        guard gateway == nil || readyFile == nil else {
            throw ValidationError("give at most one of --gateway and --ready-file")
        }
    }

    /// The location of a gateway.
    struct Location: Equatable {
        /// The base URL of the service listener.
        var service: String

        /// The ready file with that URL, if it came from one.
        var ready: GatewayReadyFile?

        /// The administrative token, if there is one.
        var token: String?

        /// The namespace of calls; `nil` for the standard one.
        var namespace: Namespace?

        /// The base URL of the provider listener, if it is known.
        var provider: String? {
            ready?.providerPlaintext ?? ready?.provider
        }
    }

    /// Returns the location that options, the environment and the contexts name, in this order, or else the standard one.
    ///
    /// - Throws: `CommandFailure` if a file cannot be used, or a value is not valid.
    func location(
        in file: @autoclosure () throws -> ContextsFile = try SettingsFolder().read(),
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Location {
        try locate(in: try file(), environment).location
    }

    /// Returns the location that options, the environment or a context name; `nil` if none of them does.
    ///
    /// - Throws: `CommandFailure` if a file cannot be used, or a value is not valid.
    func namedLocation(
        in file: @autoclosure () throws -> ContextsFile = try SettingsFolder().read(),
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Location? {
        let (location, isNamed) = try locate(in: try file(), environment)
        return isNamed ? location : nil
    }

    private func locate(
        in file: ContextsFile,
        _ environment: [String: String]
    ) throws -> (location: Location, isNamed: Bool) {
        let options = ContextSettings(
            gateway: gateway,
            readyFile: readyFile,
            adminTokenFile: adminTokenFile,
            namespace: namespace
        )
        let context = try file.currentSettings(option: call.context, environment)
        let levels = [options, .inEnvironment(environment), context]
        // A ready file contains a URL, so it takes precedence over a URL of a lower level.
        let level = levels.first { $0.gateway != nil || $0.readyFile != nil }
        let ready = try level?.readyFile.map { try ReadyFiles.read(GatewayReadyFile.self, called: "gateway", from: $0) }
        let url = ready?.service ?? level?.gateway ?? Self.defaultURL
        if let error = ListenerURL.error(in: url) { throw CommandFailure.unusable(error) }
        let namespace = levels.lazy.compactMap(\.namespace).first
        if let error = namespace.flatMap(Namespace.error) { throw CommandFailure.unusable(error) }
        let token = try AdminTokens.find(
            in: levels.lazy.compactMap(\.adminTokenFile).first,
            besides: ready?.data,
            environment: environment
        )
        let location = Location(
            service: url,
            ready: ready,
            token: token,
            namespace: namespace.map(Namespace.init(rawValue:))
        )
        return (location, level != nil)
    }

    /// Returns the gateway for a run that its console shows.
    func place() throws -> ConsoleOption.Place {
        ConsoleOption.Place(try location())
    }

    /// Calls `work` with a client of the gateway.
    ///
    /// - Parameters:
    ///   - configuration: the time-outs of the connections.
    ///   - work: the calls.
    /// - Returns: the result of `work`.
    /// - Throws: what `work` throws, and `CommandFailure` if the gateway cannot be located or reached.
    func withClient<Value>(
        _ configuration: HTTPClient.Configuration = .waypost,
        _ work: (GatewayClient) async throws -> Value
    ) async throws -> Value {
        let location = try location()
        let hint = "start a gateway with 'waypost up', or name another one with --gateway or 'waypost context'"
        return try await CommandFailure.suggesting(hint, listener: "the service listener of a gateway") {
            try await withClient(at: location, configuration, work)
        }
    }

    private func withClient<Value>(
        at location: Location,
        _ configuration: HTTPClient.Configuration,
        _ work: (GatewayClient) async throws -> Value
    ) async throws -> Value {
        try await HTTPClient.withHTTPClient(configuration: configuration) { http in
            let service = location.service
            return try await work(
                GatewayClient(
                    http,
                    service: service,
                    courier: service,
                    adminToken: location.token,
                    namespace: location.namespace,
                    log: call.log
                )
            )
        }
    }

    /// Calls `work` as `withClient` does, and reports a refused request as unusable input.
    ///
    /// - Throws: `CommandFailure` with exit status 2 if the gateway refuses the input, and with exit status 1 if it
    ///   cannot be reached; `CallError` for status 404 and server errors.
    func calling<Value>(
        _ configuration: HTTPClient.Configuration = .waypost,
        _ work: (GatewayClient) async throws -> Value
    ) async throws -> Value {
        try await CommandFailure.reportingRefusalAsUnusableInput { try await withClient(configuration, work) }
    }
}

/// The options of a command that starts its own gateway unless they name one.
struct OptionalGatewayOptions: ParsableArguments {
    @OptionGroup var named: GatewayOptions

    @Flag(help: "Start a gateway of its own, also if the environment or the context names one.")
    var ownGateway = false

    func validate() throws {
        guard !ownGateway || (named.gateway == nil && named.readyFile == nil) else {
            throw ValidationError("--own-gateway cannot be combined with --gateway or --ready-file")
        }
    }

    /// Returns the location of the gateway that options, the environment or a context name; `nil` to start one.
    ///
    /// - Throws: `CommandFailure` if a file cannot be used, or a value is not valid.
    func location() throws -> GatewayOptions.Location? {
        ownGateway ? nil : try named.namedLocation()
    }
}

/// The sources of the administrative token.
enum AdminTokens {
    /// Finds the token in a file, in the environment, or in a gateway's data folder.
    ///
    /// - Parameters:
    ///   - path: the token file that the user named, if any; it must exist.
    ///   - folder: the gateway's data folder, if it is known; it need not contain a readable token.
    ///   - environment: the process's environment.
    /// - Returns: the token, or `nil` if there is none.
    /// - Throws: `CommandFailure` if the file at `path` cannot be read or contains no token.
    static func find(
        in path: String?,
        besides folder: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> String? {
        if let path {
            guard let token = token(in: path) else {
                throw CommandFailure.unusable("\(path): contains no administrative token that can be read")
            }
            return token
        }
        return environment["WAYPOST_ADMIN_TOKEN"] ?? folder.flatMap { token(in: $0 + "/admin-token") }
    }

    private static func token(in path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        // Other characters do not fit into a header. The gateway reports any other problem with the token.
        return !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? token : nil
    }
}
