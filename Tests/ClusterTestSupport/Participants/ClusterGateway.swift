import Foundation
import ProcessTestSupport
import Synchronization
import WaypostSchema
import WaypostTestSupport

/// A gateway of a cluster, which a test kills, starts again, and stops for a while.
///
/// It ends with the test process.
final class ClusterGateway: Sendable {
    /// The maximum time from SIGTERM until the gateway has ended.
    static let endLimit = Duration.seconds(60)

    /// The name of the gateway, for findings.
    let name: String

    private let store: String
    private let environment: ClusterEnvironment
    private let scratch: ScratchFolder
    private let lifeline: Lifeline
    private let running: Mutex<GatewayProcess?> = Mutex(nil)

    /// Creates a gateway on the database with the URI `store`, which does not run yet.
    init(
        _ name: String,
        store: String,
        environment: ClusterEnvironment,
        scratch: ScratchFolder,
        lifeline: Lifeline
    ) {
        (self.name, self.store, self.environment) = (name, store, environment)
        (self.scratch, self.lifeline) = (scratch, lifeline)
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
        let command = ["env", "WAYPOST_GATEWAY_STORE=\(store)", environment.program] + options
        do {
            let started = try await GatewayProcess.start(lifeline.command(command, log: log), readyFile: readyFile)
            running.withLock { $0 = started }
        } catch let never as GatewayProcess.NeverReady {
            var ended = never.ended
            ended.errors = lastLines
            throw GatewayProcess.NeverReady(ended: ended)
        }
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

    /// Ends the gateway with SIGTERM, as a user does, or with SIGKILL after a while; returns how it ended.
    func stop() async -> LimitedEnd? {
        process?.send(SIGTERM)
        return await process?.end(within: Self.endLimit)
    }

    private var process: ChildProcess? {
        running.withLock { $0?.process }
    }

    /// The file of its log.
    private var log: String {
        environment.logs.map { "\($0)/\(name).log" } ?? scratch.path(of: "\(name).log")
    }
}
