internal import Foundation
internal import LocalProcesses
internal import WaypostSchema

/// A gateway that a run of a scenario started for itself.
struct StartedGateway: Sendable {
    private let supervisor: ProcessSupervisor
    private let workspace: Workspace
    private let keepsData: Bool
    private let hasProviderAPI: Bool
    private var process: SupervisedProcess?

    /// The URLs of the gateway.
    private(set) var ready: GatewayReadyFile?

    /// Prepares a gateway.
    ///
    /// - Parameters:
    ///   - supervisor: the supervisor of its process.
    ///   - workspace: the folder for its files.
    ///   - keepsData: whether its store survives its end.
    ///   - hasProviderAPI: whether it has a provider listener with TLS.
    init(_ supervisor: ProcessSupervisor, _ workspace: Workspace, keepsData: Bool, hasProviderAPI: Bool) {
        self.supervisor = supervisor
        self.workspace = workspace
        self.keepsData = keepsData
        self.hasProviderAPI = hasProviderAPI
    }

    /// Starts the gateway, at the same addresses as before if it was started before.
    mutating func start() async throws -> GatewayReadyFile {
        let file = workspace.readyFile(of: "gateway")
        var arguments = [
            "--service", Self.address(ready?.service), "--courier", Self.address(ready?.courier),
            "--provider-plaintext", Self.address(ready?.providerPlaintext), "--clock", "manual",
            "--store", keepsData ? "sqlite" : "memory", "--data", workspace.data(of: "gateway"),
            "--log-retention", "100000h", "--log-level", "info", "--ready-file", file,
        ]
        if hasProviderAPI { arguments += ["--provider", Self.address(ready?.provider)] }
        let process = supervisor.start(
            "waypost-gateway",
            arguments,
            name: "the gateway",
            log: workspace.log(of: "gateway")
        )
        self.process = process
        let ready = try await process.ready(GatewayReadyFile.self, at: file)
        self.ready = ready
        return ready
    }

    /// Ends the gateway.
    mutating func end(_ ending: SupervisedProcess.Ending) async throws {
        try await process?.end(ending)
        process = nil
    }

    /// Returns the address of a URL, or any free port if there is none.
    private static func address(_ url: String?) -> String {
        guard let url = url.flatMap(URL.init(string:)), let host = url.host, let port = url.port else {
            return "127.0.0.1:0"
        }
        return "\(host):\(port)"
    }
}
