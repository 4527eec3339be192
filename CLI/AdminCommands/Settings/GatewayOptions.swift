internal import ArgumentParser
internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import JSONScanning
internal import LocalProcesses
internal import WaypostSchema

/// The gateway of a command if no setting names one.
protocol UnnamedGateway: Sendable {
    /// The gateway in the help.
    static var text: String { get }
}

/// The gateway at the standard address.
enum StandardGateway: UnnamedGateway {
    static let text = "http://127.0.0.1:7330"
}

/// A gateway that the command starts.
enum OwnGateway: UnnamedGateway {
    static let text = "one of its own"
}

/// The options that locate a gateway, for every command that calls one.
typealias GatewayOptions = GatewayLocationOptions<StandardGateway>

/// The location of a gateway.
struct GatewayLocation: Equatable {
    /// The base URL of the service listener.
    var service: String

    /// The ready file that contains that URL, if one was read.
    var readyFile: GatewayReadyFile?

    /// The administrative token, if there is one.
    var token: String?

    /// The namespace of calls; `nil` for the standard one.
    var namespace: Namespace?

    /// The base URL of the provider listener, if it is known.
    var provider: String? {
        readyFile?.providerPlaintext ?? readyFile?.provider
    }
}

/// The options that locate a gateway, with the one that is used if no setting names one.
struct GatewayLocationOptions<Unnamed: UnnamedGateway>: ParsableArguments {
    typealias Location = GatewayLocation

    /// The URL of the gateway if no setting names another.
    static var defaultURL: String { StandardGateway.text }

    @Option(
        help: ArgumentHelp(
            "The base URL of the gateway's service listener (default: the context's, or else \(Unnamed.text)).",
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

    /// Returns the location that options, the environment and the contexts name, in this order, or else the default
    /// location.
    ///
    /// - Throws: `CommandFailure` if a file cannot be used, or a value is not valid.
    func location(
        in file: @autoclosure () throws -> ContextsFile = try ContextsStorage().read(),
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Location {
        try locate(in: try file(), environment).location
    }

    /// Returns the location that options, the environment or a context name; `nil` if none of them does.
    ///
    /// - Throws: `CommandFailure` if a file cannot be used, or a value is not valid.
    func namedLocation(
        in file: @autoclosure () throws -> ContextsFile = try ContextsStorage().read(),
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
        let settingsByPrecedence = [options, .inEnvironment(environment), context]
        // A ready file contains a URL, so it takes precedence over a URL in later settings.
        let settings = settingsByPrecedence.first { $0.gateway != nil || $0.readyFile != nil }
        let ready = try settings?.readyFile.map {
            try ReadyFiles.read(GatewayReadyFile.self, called: "gateway", from: $0)
        }
        let url = ready?.service ?? settings?.gateway ?? Self.defaultURL
        if let error = ListenerURL.error(in: url) { throw CommandFailure.unusable(error) }
        let namespace = settingsByPrecedence.lazy.compactMap(\.namespace).first
        if let error = namespace.flatMap(Namespace.error) { throw CommandFailure.unusable(error) }
        let token = try AdminTokens.find(
            file: settingsByPrecedence.lazy.compactMap(\.adminTokenFile).first,
            dataFolder: ready?.data,
            environment: environment
        )
        let location = Location(
            service: url,
            readyFile: ready,
            token: token,
            namespace: namespace.map(Namespace.init(rawValue:))
        )
        return (location, settings != nil)
    }

    /// Returns the gateway for a run that its console shows.
    func consoleGateway() throws -> ConsoleOption.Gateway {
        ConsoleOption.Gateway(try location())
    }

    /// Calls `work` with a client of the gateway, without a change of the errors of refused requests.
    ///
    /// - Parameters:
    ///   - configuration: the time-outs of the connections.
    ///   - work: the calls.
    /// - Returns: the result of `work`.
    /// - Throws: what `work` throws, and `CommandFailure` if the gateway cannot be located or reached.
    func withClientRethrowingRefusals<Value>(
        _ configuration: HTTPClient.Configuration = .waypost,
        _ work: (GatewayClient) async throws -> Value
    ) async throws -> Value {
        let location = try location()
        let hint = "start a gateway with 'waypost up', or name another one with --gateway or 'waypost context'"
        do {
            return try await CommandFailure.withConnectionHint(hint, listener: "the service listener of a gateway") {
                try await withClient(at: location, configuration, work)
            }
        } catch CallError.refused(status: 401, _) {
            throw CommandFailure.unusable(Self.tokenMessage(for: location))
        }
    }

    private static func tokenMessage(for location: Location) -> String {
        location.token == nil
            ? "the gateway needs its administrative token; use --ready-file, --admin-token-file or WAYPOST_ADMIN_TOKEN"
            : "the administrative token is not that of the gateway at \(location.service)"
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
                    adminToken: { [token = location.token] in token },
                    namespace: location.namespace,
                    log: call.log
                )
            )
        }
    }

    /// Calls `work` with a client of the gateway, and reports a refused request as unusable input.
    ///
    /// - Throws: `CommandFailure` with exit status 2 if the gateway refuses the input, and with 69 if it
    ///   cannot be reached; `CallError` for status 404 and server errors.
    func withClient<Value>(
        _ configuration: HTTPClient.Configuration = .waypost,
        _ work: (GatewayClient) async throws -> Value
    ) async throws -> Value {
        try await CommandFailure.reportingRefusalAsUnusableInput {
            try await withClientRethrowingRefusals(configuration, work)
        }
    }
}

/// The options of a command that starts its own gateway unless they name one.
struct OptionalGatewayOptions: ParsableArguments {
    @OptionGroup var named: GatewayLocationOptions<OwnGateway>

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
    func location() throws -> GatewayLocation? {
        ownGateway ? nil : try named.namedLocation()
    }
}
