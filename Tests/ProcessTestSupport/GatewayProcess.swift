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
    /// - Throws: `NeverReady` if the gateway ended before it was ready.
    package static func start(
        data folder: String,
        _ scratch: ScratchFolder,
        store: String = "sqlite",
        wrap: ([String]) -> [String] = { $0 }
    ) async throws -> Self {
        let readyFile = scratch.path(of: "ready-\(UUID()).json")
        return try await start(wrap(command(data: folder, store: store, readyFile: readyFile)), readyFile: readyFile)
    }

    /// The maximum time until a gateway is ready; it may have a long log to read, on a busy machine.
    private static let readyLimit = Duration.seconds(180)

    /// Starts the gateway with a command, and waits until its listeners accept connections.
    ///
    /// - Parameters:
    ///   - command: The command, which must replace its process with the gateway.
    ///   - readyFile: The ready file that the command names.
    /// - Returns: The running gateway.
    /// - Throws: `NeverReady` if the gateway ended before it was ready, or was not ready in time.
    package static func start(_ command: [String], readyFile: String) async throws -> Self {
        let process = try ChildProcess(command)
        guard await process.writes("is ready", within: readyLimit) else {
            throw NeverReady(ended: await process.ended())
        }
        let data = try Data(contentsOf: URL(filePath: readyFile))
        return Self(ready: try JSONDecoder().decode(GatewayReadyFile.self, from: data), process: process)
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

    /// The gateway ended before it was ready, or was killed because it was not ready in time.
    package struct NeverReady: Error {
        /// How it ended.
        package let ended: ChildProcess.Ended

        /// Creates the error of a gateway that has ended.
        package init(ended: ChildProcess.Ended) {
            self.ended = ended
        }
    }
}
