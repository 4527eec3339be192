internal import AsyncHTTPClient
internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import ProviderTrials
internal import WaypostSchema

/// A gateway that runs for one trial.
struct TrialGateway: Sendable {
    /// The addresses of the listeners of gateways that run one after another.
    struct Ports: Sendable {
        private let ports: [ReservedPort]

        /// Reserves the addresses.
        ///
        /// - Throws: `ProcessFailure` if no port is free.
        init() throws(ProcessFailure) {
            var ports: [ReservedPort] = []
            for _ in TrialGateway.listeners { ports.append(try ReservedPort()) }
            self.ports = ports
        }

        /// The addresses, in the order of `TrialGateway.listeners`.
        fileprivate var addresses: [String] {
            ports.map(\.address)
        }
    }

    /// The options of the listeners.
    private static let listeners = ["--service", "--courier", "--provider", "--provider-plaintext", "--proxy"]

    /// The number of requests that the gateway remembers with their headers and bodies.
    private static let maximumRequests = 20_000

    /// A client of the gateway.
    let client: GatewayClient

    /// The URLs of the gateway.
    let ready: GatewayReadyFile

    private let process: SupervisedProcess

    /// Starts a gateway.
    ///
    /// - Parameters:
    ///   - supervisor: the supervisor of its process.
    ///   - http: the client for its service listener.
    ///   - folder: the folder for its files.
    ///   - authority: the path of the folder of the certificate authority.
    ///   - ports: the addresses of its listeners; `nil` for free ones.
    /// - Throws: `ProcessFailure` if it does not start.
    init(
        _ supervisor: ProcessSupervisor,
        _ http: HTTPClient,
        in folder: URL,
        authority: String,
        ports: Ports?
    ) async throws {
        let file = folder.appending(path: "gateway.json").path
        // An earlier gateway may have left the file.
        try? FileManager.default.removeItem(atPath: file)
        let token = Self.randomAdminToken()
        let addresses = ports?.addresses ?? Self.listeners.map { _ in "127.0.0.1:0" }
        process = supervisor.start(
            "waypost-gateway",
            zip(Self.listeners, addresses).flatMap { [$0, $1] } + [
                "--store", "memory", "--data", folder.appending(path: "data").path, "--ca", authority,
                "--authentication", "apns", "--clock", "manual", "--record-requests", "\(Self.maximumRequests)",
                "--ready-file", file,
            ],
            name: "the gateway",
            log: folder.appending(path: "gateway.log").path,
            variables: ["WAYPOST_ADMIN_TOKEN": token]
        )
        ready = try await process.waitUntilReady(GatewayReadyFile.self, at: file)
        client = GatewayClient(http, service: ready.service, courier: ready.courier, adminToken: { token })
    }

    /// Returns what the gateway saw so far.
    func records() async throws(CallError) -> TrialRecords {
        let connections = try await client.senderConnections()
        return TrialRecords(requests: try await client.senderRequests(), connections: connections)
    }

    /// Ends the gateway in order, and waits until it has ended.
    func end() async throws {
        try await process.end(.terminate)
    }

    /// Registers the devices and the keys of a trial.
    func register(_ setup: TrialSetup) async throws(CallError) {
        for key in setup.keys {
            _ = try await client.addKey(ProviderKey(id: key.id, team: key.team, publicKey: key.publicKey))
        }
        for (index, token) in setup.tokens.enumerated() {
            let name = "device-\(index + 1)"
            _ = try await client.register(DeviceRegistration(name: name, topics: TrialSetup.topics, token: token))
        }
    }

    /// Performs an effect of a step on the gateway.
    func perform(_ effect: TrialRun.Effect) async throws(CallError) {
        switch effect {
        case .addFault(let fault): _ = try await client.addFault(fault)
        case .removeFaults: try await client.removeFault(nil)
        case .affectConnections(let fault): _ = try await client.affectConnections(fault)
        case .advanceGateway(let milliseconds): _ = try await client.advanceClock(ClockAdvance(by: milliseconds))
        case .give, .setProviderClock, .restart, .wait: break
        }
    }

    /// Returns a random administrative token.
    private static func randomAdminToken() -> String {
        (0..<2).map { _ in UUID().uuidString.lowercased().replacing("-", with: "") }.joined()
    }
}
