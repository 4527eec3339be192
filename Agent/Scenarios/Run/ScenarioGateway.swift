internal import Foundation
internal import LocalProcesses
internal import WaypostSchema

/// A gateway that a run of a scenario starts for itself.
struct ScenarioGateway: Sendable {
    private let supervisor: ProcessSupervisor
    private let workspace: Workspace
    private let keepsData: Bool
    private let hasTLSProviderListener: Bool
    private var process: SupervisedProcess?

    /// The addresses of its listeners, which no other process gets while the gateway does not run.
    private let ports: (service: ReservedPort, courier: ReservedPort, plaintext: ReservedPort, provider: ReservedPort)

    /// The URLs of the gateway.
    private(set) var ready: GatewayReadyFile?

    /// Prepares a gateway.
    ///
    /// - Parameters:
    ///   - supervisor: the supervisor of its process.
    ///   - workspace: the folder for its files.
    ///   - keepsData: whether its store survives its end.
    ///   - hasTLSProviderListener: whether it has a provider listener with TLS.
    /// - Throws: `ProcessFailure` if no port is free.
    init(_ supervisor: ProcessSupervisor, _ workspace: Workspace, keepsData: Bool, hasTLSProviderListener: Bool) throws
    {
        self.supervisor = supervisor
        self.workspace = workspace
        self.keepsData = keepsData
        self.hasTLSProviderListener = hasTLSProviderListener
        ports = (try ReservedPort(), try ReservedPort(), try ReservedPort(), try ReservedPort())
    }

    /// Starts the gateway, at the same addresses as before if it was started before.
    mutating func start() async throws -> GatewayReadyFile {
        let file = workspace.makeReadyFilePath(of: "gateway")
        var arguments = [
            "--service", ports.service.address, "--courier", ports.courier.address,
            "--provider-plaintext", ports.plaintext.address, "--clock", "manual",
            "--store", keepsData ? "sqlite" : "memory", "--data", workspace.dataPath(of: "gateway"),
            "--log-retention", "100000h", "--log-level", "info", "--ready-file", file,
        ]
        if hasTLSProviderListener { arguments += ["--provider", ports.provider.address] }
        let process = supervisor.start(
            "waypost-gateway",
            arguments,
            name: "the gateway",
            log: workspace.logPath(of: "gateway")
        )
        self.process = process
        let ready = try await process.waitUntilReady(GatewayReadyFile.self, at: file)
        self.ready = ready
        return ready
    }

    /// Ends the gateway.
    mutating func end(_ ending: SupervisedProcess.Ending) async throws {
        try await process?.end(ending)
        process = nil
    }
}
