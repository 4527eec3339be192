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
struct LoadGatewayOptions: ParsableArguments {
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

    /// Returns the gateway whose console shows the run by default; `nil` if the test starts a gateway of its own.
    func consoleGateway() throws -> ConsoleOption.Gateway? {
        try gateway.location().map(ConsoleOption.Gateway.init)
    }

    /// A running gateway, and the listener to which a load test sends.
    struct RunningGateway: Sendable {
        let client: GatewayClient
        let listener: LoadTarget

        /// The courier listeners of the gateways on its store.
        let couriers: [ListenAddress]
        let namespace: Namespace?
        let description: [LoadRunDescription.Setting]

        /// The reasons why the result does not say what the options of the test ask for.
        let warnings: [String]
    }

    /// Calls `work` with the gateway that the options name, or with one that runs only for the test.
    func run<Value: Sendable>(
        _ settings: LoadSettings,
        _ work: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> Value {
        if let location = try gateway.location() {
            let urls =
                location.readyFile.map { LoadGatewayURLs($0, usesTLS: settings.usesTLS) }
                ?? LoadGatewayURLs(service: location.service, provider: provider, ca: ca)
            return try await connect(to: urls, location, settings: settings, work: work)
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
                let ready = try await process.waitUntilReady(GatewayReadyFile.self, at: file)
                let location = GatewayOptions.Location(
                    service: ready.service,
                    readyFile: ready,
                    token: try AdminTokens.find(file: nil, dataFolder: ready.data),
                    namespace: gateway.named.namespace.map(Namespace.init(rawValue:))
                )
                return try await connect(
                    to: LoadGatewayURLs(ready, usesTLS: settings.usesTLS),
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

    /// Calls `work` with the gateway at the URLs.
    private func connect<Value: Sendable>(
        to urls: LoadGatewayURLs,
        _ location: GatewayOptions.Location,
        settings: LoadSettings,
        work: @escaping @Sendable (RunningGateway) async throws -> Value
    ) async throws -> Value {
        let (token, namespace) = (location.token, location.namespace)
        guard let endpoint = BatchEndpoint(urls.service, adminToken: token, namespace: namespace) else {
            throw CommandFailure.unusable("\(LoadError.unusableURL(urls.service))")
        }
        try checkThatHostIsAllowed(in: urls.service, isLoopback: endpoint.isLoopback)
        return try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            let client = GatewayClient(
                http,
                service: urls.service,
                courier: urls.service,
                adminToken: { token },
                namespace: namespace
            )
            let couriers = try await client.courierURLs().map { url in
                guard let courier = ListenAddress(url: url) else {
                    throw CommandFailure.unusable("\(LoadError.unusableURL(url))")
                }
                try checkThatHostIsAllowed(in: url, isLoopback: courier.isLoopback)
                return courier
            }
            let name = try gateway.named.gateway ?? gateway.named.readyFile ?? gateway.location()?.service ?? "its own"
            return try await withListener(endpoint, urls, client: client, settings: settings) { listener in
                let health = try await client.health()
                let description = [("gateway", name), ("store", health.store), ("build", health.build)]
                var warnings: [String] = []
                if settings.sendsProviderTokens, !(await checksProviderTokens(at: urls.service, http)) {
                    warnings.append(Self.uncheckedTokensWarning)
                }
                return try await work(
                    RunningGateway(
                        client: client,
                        listener: listener,
                        couriers: couriers,
                        namespace: namespace,
                        description: description.compactMap { name, value in
                            value.map { LoadRunDescription.Setting(name: name, value: $0) }
                        },
                        warnings: warnings
                    )
                )
            }
        }
    }

    private static let uncheckedTokensWarning =
        "The gateway does not check provider tokens, so the key was not tried. Start it with --authentication token."

    /// Returns whether a gateway checks provider tokens.
    ///
    /// Only such a gateway refuses a call that has no administrative token.
    private func checksProviderTokens(at service: String, _ http: HTTPClient) async -> Bool {
        let client = GatewayClient(http, service: service, courier: service)
        return (try? await client.keys()) == nil
    }

    /// Checks that a URL is on this machine, or that other machines are allowed.
    private func checkThatHostIsAllowed(in url: String, isLoopback: Bool) throws(CommandFailure) {
        guard allowRemote || isLoopback else {
            throw CommandFailure.unusable("\(url) is not on this machine; --allow-remote allows that")
        }
    }

    /// Returns whether the gateway has a key of the user's own, which then stays as it is.
    private func isKnown(_ key: ProviderKey, _ client: GatewayClient) async throws -> Bool {
        guard let registeredKey = try await client.keys().first(where: { $0.id == key.id }) else { return false }
        func isSame(_ text: String, _ other: String) -> Bool {
            text.trimmingCharacters(in: .newlines) == other.trimmingCharacters(in: .newlines)
        }
        guard registeredKey.team == key.team, isSame(registeredKey.publicKey, key.publicKey) else {
            throw CommandFailure.unusable(
                "the gateway has another key \(key.id), of team \(registeredKey.team); revoke it: waypost keys revoke \(key.id)"
            )
        }
        return true
    }

    /// Calls `work` with the listener of the API.
    ///
    /// The key or the certificate that authenticates the sender exists only while `work` runs.
    private func withListener<Value: Sendable>(
        _ batchEndpoint: BatchEndpoint,
        _ urls: LoadGatewayURLs,
        client: GatewayClient,
        settings: LoadSettings,
        work: (LoadTarget) async throws -> Value
    ) async throws -> Value {
        let maximumStreamCount: Int
        switch settings.api {
        case .batches(let itemsPerRequest, let coding):
            return try await work(.batches(batchEndpoint, itemsPerRequest: itemsPerRequest, coding))
        case .provider(let count): maximumStreamCount = count
        }
        guard let url = urls.provider else {
            throw CommandFailure.unusable(
                urls.isFromReadyFile
                    ? "this gateway has no such provider listener; start it with "
                        + (settings.usesTLS ? "--provider ADDR:PORT" : "--provider-plaintext ADDR:PORT")
                    : "--api provider needs the provider listener of the gateway: --provider http://127.0.0.1:7333, "
                        + "or --ready-file"
            )
        }
        let authority = urls.ca.map { AuthorityFolder(path: $0) }
        // A gateway that is not named by a ready file offers its authority itself.
        let certificate = urls.ca == nil && url.hasPrefix("https:") ? try await client.authorityCertificate() : nil
        func listener(_ authentication: ProviderEndpoint.Authentication) throws -> LoadTarget {
            let endpoint: ProviderEndpoint
            do throws(ProviderEndpoint.UnusableError) {
                let trust = authority.map { ProviderEndpoint.Trust.file($0.authorityCertificatePath) }
                endpoint = try ProviderEndpoint(url, trusting: trust ?? certificate.map { .pem($0) }, authentication)
            } catch {
                throw CommandFailure.unusable(error.description)
            }
            try checkThatHostIsAllowed(in: url, isLoopback: endpoint.isLoopback)
            return .provider(endpoint, maximumStreamCount: maximumStreamCount)
        }
        switch settings.authentication {
        case .none: return try await work(try listener(.none))
        case .token:
            let key = settings.key ?? ProviderTokenKey(id: "LOADTEST01", team: "LOADTEST01")
            if settings.key != nil, try await isKnown(key.registration, client) {
                return try await work(try listener(.token(key)))
            }
            _ = try await client.addKey(key.registration)
            do {
                let value = try await work(try listener(.token(key)))
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
                let topic = settings.traffic.topic
                try authority.makeProviderCertificate(
                    topics: [topic],
                    environments: Set(PushEnvironment.allCases),
                    // A handshake with RSA costs the generator more.
                    keyType: .ec,
                    at: file,
                    .system
                )
                return try await work(try listener(.certificate(file)))
            }
        }
    }
}

extension LoadSettings {
    /// Whether the requests have provider tokens.
    fileprivate var sendsProviderTokens: Bool {
        guard case .provider = api else { return false }
        return authentication == .token
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
