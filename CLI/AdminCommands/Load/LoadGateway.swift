internal import ArgumentParser
internal import AsyncHTTPClient
internal import Fleets
internal import Foundation
internal import GatewayClient
internal import LoadTesting
internal import LocalAuthority
internal import LocalProcesses
internal import LocalService
internal import WaypostSchema

/// The gateway of a load test, with its provider listener.
struct LoadGateway: ParsableArguments {
    @OptionGroup var gateway: OptionalGatewayOptions

    @Option(
        help: ArgumentHelp(
            "The base URL of the provider listener, for --api provider with --gateway; https for TLS.",
            valueName: "url"
        )
    )
    var provider: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the certificate authority of that listener, as for 'waypost ca'.",
            valueName: "folder"
        )
    )
    var ca: String?

    @Flag(help: "Allow a gateway on another machine.")
    var allowRemote = false

    @Option(
        help: ArgumentHelp(
            "An argument for the gateway that the test starts; may be given several times.",
            valueName: "argument"
        )
    )
    var gatewayArgument: [String] = []

    func validate() throws {
        guard provider == nil || gateway.named.readyFile == nil else {
            throw ValidationError("--provider is for --gateway; a ready file names all listeners")
        }
    }

    /// Returns the place of the gateway; `nil` if the test starts one of its own.
    func place() throws -> ConsoleOption.Place? {
        try gateway.location().map(ConsoleOption.Place.init)
    }

    /// A running gateway, and the listener to which a load test sends.
    struct Opened: Sendable {
        let client: GatewayClient
        let listener: LoadListener

        /// The courier listeners of the gateways on its store.
        let couriers: [ListenAddress]
        let namespace: Namespace?
        let description: [LoadRunDescription.Setting]
    }

    /// Calls `work` with the gateway, which a sender may use as the settings say.
    func run<Value: Sendable>(
        _ settings: LoadSettings,
        _ work: @escaping @Sendable (Opened) async throws -> Value
    ) async throws -> Value {
        if let location = try gateway.location() {
            let listeners =
                location.ready.map { LoadGatewayURLs($0, usesTLS: settings.usesTLS) }
                ?? LoadGatewayURLs(service: location.service, provider: provider, ca: ca)
            return try await use(listeners, location, settings: settings, work: work)
        }
        return try await TemporaryFolder.with("waypost-load") { folder in
            try await ProcessSupervisor.run { supervisor in
                let file = folder.appending(path: "gateway.json").path
                let process = supervisor.start(
                    "waypost-gateway",
                    Self.arguments(settings, folder) + ["--ready-file", file] + gatewayArgument,
                    name: "the gateway",
                    log: folder.appending(path: "gateway.log").path
                )
                let ready = try await process.ready(GatewayReadyFile.self, at: file)
                let location = GatewayOptions.Location(
                    service: ready.service,
                    ready: ready,
                    token: try AdminTokens.find(in: nil, besides: ready.data),
                    namespace: gateway.named.namespace.map(Namespace.init(rawValue:))
                )
                return try await use(
                    LoadGatewayURLs(ready, usesTLS: settings.usesTLS),
                    location,
                    settings: settings,
                    work: work
                )
            }
        }
    }

    /// The arguments of a gateway that runs for the test.
    private static func arguments(_ settings: LoadSettings, _ folder: URL) -> [String] {
        var arguments = ["--data", folder.appending(path: "data").path]
        for listener in ["--service", "--courier", "--provider-plaintext"] { arguments += [listener, "127.0.0.1:0"] }
        if settings.usesTLS {
            arguments += ["--provider", "127.0.0.1:0", "--ca", folder.appending(path: "ca").path]
        }
        if settings.authentication != .none { arguments += ["--authentication", "token"] }
        return arguments
    }

    private func use<Value: Sendable>(
        _ listeners: LoadGatewayURLs,
        _ location: GatewayOptions.Location,
        settings: LoadSettings,
        work: @escaping @Sendable (Opened) async throws -> Value
    ) async throws -> Value {
        let (token, namespace) = (location.token, location.namespace)
        guard let endpoint = BatchEndpoint(listeners.service, adminToken: token, namespace: namespace) else {
            throw CommandFailure.unusable("\(LoadError.unusableURL(listeners.service))")
        }
        try check(endpoint.isLoopback, listeners.service)
        return try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            let client = GatewayClient(
                http,
                service: listeners.service,
                courier: listeners.service,
                adminToken: token,
                namespace: namespace
            )
            let couriers = try await client.courierURLs().map { url in
                guard let courier = ListenAddress(url: url) else {
                    throw CommandFailure.unusable("\(LoadError.unusableURL(url))")
                }
                try check(courier.isLoopback, url)
                return courier
            }
            let name = try gateway.named.gateway ?? gateway.named.readyFile ?? gateway.location()?.service ?? "its own"
            return try await withTarget(endpoint, listeners, client: client, settings: settings) { listener in
                let health = try await client.health()
                let description = [("gateway", name), ("store", health.store), ("build", health.build)]
                return try await work(
                    Opened(
                        client: client,
                        listener: listener,
                        couriers: couriers,
                        namespace: namespace,
                        description: description.compactMap { name, value in
                            value.map { LoadRunDescription.Setting(name: name, value: $0) }
                        }
                    )
                )
            }
        }
    }

    private func check(_ isLoopback: Bool, _ url: String) throws(CommandFailure) {
        guard allowRemote || isLoopback else {
            throw CommandFailure.unusable("\(url) is not on this machine; --allow-remote allows that")
        }
    }

    /// Calls `work` with the listener of the API; the sender has what authenticates it there for this time.
    private func withTarget<Value: Sendable>(
        _ batches: BatchEndpoint,
        _ listeners: LoadGatewayURLs,
        client: GatewayClient,
        settings: LoadSettings,
        work: (LoadListener) async throws -> Value
    ) async throws -> Value {
        let streams: Int
        switch settings.api {
        case .batches(let items, let coding): return try await work(.batches(batches, items: items, coding))
        case .provider(let most): streams = most
        }
        guard let url = listeners.provider else {
            throw CommandFailure.unusable(
                listeners.isFromReadyFile
                    ? "this gateway has no such provider listener; start it with "
                        + (settings.usesTLS ? "--provider ADDR:PORT" : "--provider-plaintext ADDR:PORT")
                    : "--api provider needs the provider listener of the gateway: --provider http://127.0.0.1:7333, "
                        + "or --ready-file"
            )
        }
        let authority = listeners.ca.map { AuthorityFolder(path: $0) }
        func target(_ authentication: ProviderEndpoint.Authentication) throws -> LoadListener {
            let endpoint: ProviderEndpoint
            do throws(ProviderEndpoint.UnusableError) {
                endpoint = try ProviderEndpoint(url, trusting: authority?.authorityCertificate, authentication)
            } catch {
                throw CommandFailure.unusable(error.description)
            }
            try check(endpoint.isLoopback, url)
            return .provider(endpoint, streams: streams)
        }
        switch settings.authentication {
        case .none: return try await work(try target(.none))
        case .token:
            let key = ProviderTokenKey(id: "LOADTEST01", team: "LOADTEST01")
            _ = try await client.addKey(key.registration)
            do {
                let value = try await work(try target(.token(key)))
                try await client.removeKey(key.registration.id)
                return value
            } catch {
                try? await client.removeKey(key.registration.id)
                throw error
            }
        case .certificate:
            guard let authority else {
                throw CommandFailure.unusable(
                    "a certificate needs the gateway's authority; give its folder with --ca, or use --ready-file"
                )
            }
            return try await TemporaryFolder.with("waypost-load") { folder in
                let file = folder.appending(path: "client.pem").path
                let topic = settings.items.topic
                try authority.makeProvider(
                    topics: [topic],
                    environments: Set(PushEnvironment.allCases),
                    at: file,
                    .system
                )
                return try await work(try target(.certificate(file)))
            }
        }
    }
}

/// The URLs of a gateway's listeners, as far as a load test needs them.
struct LoadGatewayURLs: Sendable {
    /// The service listener.
    let service: String

    /// The provider listener, or `nil` if there is none.
    let provider: String?

    /// The folder of the authority of its certificate, if it is known.
    let ca: String?

    /// Whether a ready file named all listeners.
    var isFromReadyFile = false

    init(service: String, provider: String?, ca: String?) {
        (self.service, self.provider, self.ca) = (service, provider, ca)
    }

    /// Reads the URLs from a ready file.
    init(_ ready: GatewayReadyFile, usesTLS: Bool) {
        isFromReadyFile = true
        service = ready.service
        provider = usesTLS ? ready.provider : ready.providerPlaintext
        ca = ready.ca.map { URL(filePath: $0).deletingLastPathComponent().path }
    }
}

/// A folder that exists only while something uses it.
enum TemporaryFolder {
    /// Calls `work` with a new folder, and removes it.
    static func with<Value>(_ name: String, _ work: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await work(folder)
    }
}
