import Foundation
package import WaypostSchema
package import WaypostTestSupport

/// The gateway's executable, with a store in a folder or in a database.
package struct GatewayProcess: Sendable {
    /// The URLs of its listeners.
    package let ready: GatewayReadyFile

    /// The gateway's process.
    package let process: ChildProcess

    /// The executable, which is built beside these tests.
    package static let program = BuiltPrograms.path(of: "waypost-gateway")

    /// Returns the command that runs the gateway on the data in `folder`.
    package static func command(
        _ program: String = program,
        data folder: String,
        store: String = "sqlite",
        readyFile: String
    ) -> [String] {
        [
            program, "--store", store, "--data", folder, "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0",
            "--provider-plaintext", "127.0.0.1:0",
            "--ready-file", readyFile,
        ]
    }

    /// Returns the command that runs `script` in a shell; the script replaces the shell with the gateway by `exec
    /// "$@"`.
    package static func shell(_ script: String, _ command: [String]) -> [String] {
        ["sh", "-c", script, "sh"] + command
    }

    /// Starts the gateway and waits until its listeners accept connections.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - scratch: The folder for the ready file.
    ///   - store: The value of `--store`.
    ///   - wrap: Wraps the command in another program, which must replace its process with the gateway.
    /// - Returns: The running gateway.
    /// - Throws: `NeverReady` if the gateway ended before it was ready, or was not ready in time.
    package static func start(
        data folder: String,
        _ scratch: ScratchFolder,
        store: String = "sqlite",
        wrap: ([String]) -> [String] = { $0 }
    ) async throws -> Self {
        let readyFile = scratch.path(of: "ready-\(UUID()).json")
        return try await start(wrap(command(data: folder, store: store, readyFile: readyFile)), readyFile: readyFile)
    }

    /// Starts the gateway with a command, and waits until its listeners accept connections.
    ///
    /// - Parameters:
    ///   - command: The command, which must replace its process with the gateway.
    ///   - readyFile: The ready file that the command names.
    ///   - limit: The time after which a gateway that is not ready is killed.
    /// - Returns: The running gateway.
    /// - Throws: `NeverReady` if the gateway ended before it was ready, or was not ready in time.
    package static func start(
        _ command: [String],
        readyFile: String,
        within limit: Duration = startLimit
    ) async throws -> Self {
        let process = try ChildProcess(command)
        try await waitUntilReady(process, within: limit)
        let data = try Data(contentsOf: URL(filePath: readyFile))
        return Self(ready: try JSONDecoder().decode(GatewayReadyFile.self, from: data), process: process)
    }

    /// The time after which a gateway or an agent that is not ready is killed; it may have a long log to read, on a busy
    /// machine.
    package static let startLimit = Duration.seconds(180)

    /// Waits until a gateway or an agent has written that it is ready; if it is not in time, kills it.
    ///
    /// - Throws: `NeverReady`.
    static func waitUntilReady(_ process: ChildProcess, within limit: Duration = startLimit) async throws {
        let result = await process.waitForLine(with: "is ready", within: limit)
        guard result != .found else { return }
        // The wait ends early if its task is canceled, and the process may go on.
        if Task.isCancelled { process.send(SIGKILL) }
        throw NeverReady(ended: await process.ended(), killedAfter: result == .killed ? limit : nil)
    }

    /// Starts a gateway that should refuse to start, and returns how it ended.
    ///
    /// If it becomes ready, it is ended with SIGTERM.
    package static func refusal(
        data folder: String,
        _ scratch: ScratchFolder,
        wrap: ([String]) -> [String] = { $0 }
    ) async throws -> ChildProcess.Ended {
        do {
            let gateway = try await start(data: folder, scratch, wrap: wrap)
            return await gateway.stop()
        } catch let never as NeverReady {
            return never.ended
        }
    }

    /// Ends the gateway with SIGTERM, as a user does, and returns how it ended.
    package func stop() async -> ChildProcess.Ended {
        process.send(SIGTERM)
        return await process.ended()
    }

    /// A gateway or an agent ended before it was ready, or was killed because it was not ready in time.
    package struct NeverReady: Error, CustomStringConvertible {
        /// How it ended.
        package let ended: ChildProcess.Ended

        /// The time after which it was killed; `nil` if it ended before.
        package let limit: Duration?

        /// Creates the error of a process that has ended.
        package init(ended: ChildProcess.Ended, killedAfter limit: Duration? = nil) {
            (self.ended, self.limit) = (ended, limit)
        }

        /// The event, with the log.
        package var description: String {
            let event = limit.map { "it was not ready within \($0), and was killed" }
            return "\(event ?? "it ended with \(ended.status) before it was ready"): \(ended.errors)"
        }
    }
}
