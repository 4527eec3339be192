internal import ArgumentParser
internal import AsyncHTTPClient
internal import Fleets
internal import Foundation
internal import GatewayClient
internal import LoadTesting
internal import LocalProcesses
internal import WaypostSchema

/// The gateway of a load test: a given one, or one that runs for the test.
struct LoadGateway: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The base URL of the gateway's service listener (default: a gateway of its own).",
            valueName: "url"
        )
    )
    var gateway: String?

    @Option(help: ArgumentHelp("Read the gateway's URLs from its ready file.", valueName: "file"))
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            "Read the administrative token from this file (default: as for 'waypost send').",
            valueName: "file"
        )
    )
    var adminTokenFile: String?

    @Option(help: "The namespace (default: default).")
    var namespace: String?

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
        guard gateway == nil || readyFile == nil else {
            throw ValidationError("give at most one of --gateway and --ready-file")
        }
        if let error = gateway.flatMap(ListenerURL.error) { throw ValidationError(error) }
        if let error = namespace.flatMap(Namespace.error) { throw ValidationError(error) }
    }

    typealias Description = [LoadRunDescription.Setting]

    /// Calls `work` with a client of the gateway, and its addresses.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (GatewayClient, BatchEndpoint, CourierAddress, Description) async throws -> Value
    ) async throws -> Value {
        if let gateway {
            return try await use(gateway, token: try AdminTokens.find(in: adminTokenFile, besides: nil), work)
        }
        if let readyFile {
            let ready = try ReadyFiles.read(GatewayReadyFile.self, from: readyFile)
            let token = try AdminTokens.find(in: adminTokenFile, besides: ready.data)
            return try await use(ready.service, token: token, work)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "waypost-load-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await ProcessSupervisor.run { supervisor in
            let file = folder.appending(path: "gateway.json").path
            let arguments = [
                "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--data",
                folder.appending(path: "data").path, "--ready-file", file,
            ]
            let process = supervisor.start(
                "waypost-gateway",
                arguments + gatewayArgument,
                name: "the gateway",
                log: folder.appending(path: "gateway.log").path
            )
            let ready = try await process.ready(GatewayReadyFile.self, at: file)
            return try await use(ready.service, token: nil, work)
        }
    }

    private func use<Value>(
        _ service: String,
        token: String?,
        _ work: (GatewayClient, BatchEndpoint, CourierAddress, Description) async throws -> Value
    ) async throws -> Value {
        let namespace = namespace.map(Namespace.init(rawValue:))
        guard let endpoint = BatchEndpoint(service, adminToken: token, namespace: namespace) else {
            throw CommandFailure.unusable("\(LoadError.unusableURL(service))")
        }
        let isRemote = "\(service) is not on this machine; --allow-remote allows that"
        guard allowRemote || endpoint.isLoopback else { throw CommandFailure.unusable(isRemote) }
        return try await HTTPClient.withHTTPClient(configuration: .waypost) { http in
            let client = GatewayClient(
                http,
                service: service,
                courier: service,
                adminToken: token,
                namespace: namespace
            )
            let url = try await client.courierURL()
            guard let courier = CourierAddress(url) else {
                throw CommandFailure.unusable("\(LoadError.unusableURL(url))")
            }
            guard allowRemote || courier.isLoopback else { throw CommandFailure.unusable(isRemote) }
            let description = [
                LoadRunDescription.Setting(name: "gateway", value: self.gateway ?? readyFile ?? "its own")
            ]
            return try await work(client, endpoint, courier, description)
        }
    }
}
