import Foundation
import ProcessTestSupport
import Synchronization
import WaypostSchema
import WaypostTestSupport

/// A gateway of a cluster, which a test kills, starts again, and stops for a while.
///
/// It ends with the test process.
final class ClusterGateway: Sendable {
    private struct Running {
        let process: ChildProcess
        let ready: GatewayReadyFile
    }

    /// The name of the gateway, for findings.
    let name: String

    private let store: String
    private let scratch: ScratchFolder
    private let lifeline: Lifeline
    private let running: Mutex<Running?> = Mutex(nil)

    /// Starts a gateway on the database with the URI `store`, and waits until it is ready.
    static func start(
        _ name: String,
        store: String,
        _ scratch: ScratchFolder,
        _ lifeline: Lifeline
    ) async throws -> ClusterGateway {
        let gateway = ClusterGateway(name, store: store, scratch, lifeline)
        try await gateway.start()
        return gateway
    }

    private init(_ name: String, store: String, _ scratch: ScratchFolder, _ lifeline: Lifeline) {
        self.name = name
        self.store = store
        self.scratch = scratch
        self.lifeline = lifeline
    }

    /// The URLs of the gateway or, if it was killed, those that it had.
    ///
    /// A gateway that is started again has other ports.
    var ready: GatewayReadyFile {
        running.withLock { $0?.ready } ?? GatewayReadyFile(service: "", courier: "")
    }

    /// The end of the gateway's log.
    var lastLines: String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? "no log"
        // Refusals are expected, and many.
        return text.split(separator: "\n").filter { !$0.contains("status=503") }.suffix(20).map { "\(name): \($0)" }
            .joined(separator: "\n")
    }

    /// Starts the gateway, again if it was killed.
    func start() async throws {
        let readyFile = scratch.path(of: "ready-\(UUID()).json")
        let options = [
            "--data", scratch.path(of: name), "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0",
            "--provider-plaintext", "127.0.0.1:0", "--ready-file", readyFile, "--exit-on-eof",
        ]
        let command = ["env", "WAYPOST_GATEWAY_STORE=\(store)", GatewayProcess.program] + options
        let process = try ChildProcess(lifeline.command(command, log: log))
        for await line in process.lines where line.contains("is ready") {
            let data = try Data(contentsOf: URL(filePath: readyFile))
            let ready = try JSONDecoder().decode(GatewayReadyFile.self, from: data)
            running.withLock { $0 = Running(process: process, ready: ready) }
            return
        }
        var ended = await process.ended()
        ended.errors = lastLines
        throw GatewayProcess.NeverReady(ended: ended)
    }

    /// Kills the gateway with SIGKILL.
    func kill() async {
        process?.send(SIGKILL)
        _ = await process?.ended()
    }

    /// Stops the process until `thaw`, with SIGSTOP.
    func freeze() {
        process?.send(SIGSTOP)
    }

    /// Lets the process continue.
    func thaw() {
        process?.send(SIGCONT)
    }

    /// Whether the process runs.
    ///
    /// A gateway must not end unless it is killed.
    var isRunning: Bool {
        process.map { Foundation.kill($0.identifier, 0) == 0 } ?? false
    }

    /// Ends the gateway with SIGTERM, as a user does, and returns how it ended.
    func stop() async -> ChildProcess.Ended? {
        process?.send(SIGTERM)
        return await process?.ended()
    }

    private var process: ChildProcess? {
        running.withLock { $0?.process }
    }

    /// The file of its log, which the environment can put into a folder where it is kept.
    private var log: String {
        let folder = ProcessInfo.processInfo.environment["WAYPOST_CLUSTER_LOGS"]
        return folder.map { "\($0)/\(name).log" } ?? scratch.path(of: "\(name).log")
    }
}
