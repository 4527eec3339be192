import Foundation
import WaypostSchema
import WaypostTestSupport

/// The gateway's program, with a store in a folder.
struct GatewayProcess: Sendable {
    /// Where it listens.
    let ready: GatewayReadyFile

    /// Its process.
    let process: ChildProcess

    /// The program, as it was built beside these tests.
    static let program =
        URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "waypost-gateway").path

    /// Returns the command that runs it on the data in `folder`.
    static func command(data folder: String, readyFile: String) -> [String] {
        [
            program, "--store", "sqlite", "--data", folder, "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0",
            "--provider-plaintext", "127.0.0.1:0",
            "--ready-file", readyFile,
        ]
    }

    /// Returns the command that runs `script` in a shell, which hands its process on to the gateway with `exec "$@"`.
    static func shell(_ script: String, _ command: [String]) -> [String] {
        ["sh", "-c", script, "sh"] + command
    }

    /// Starts it, and waits until its listeners accept.
    ///
    /// - Parameters:
    ///   - folder: where its data is.
    ///   - scratch: where the ready file may lie.
    ///   - wrap: puts another program around it, which has to hand its process on.
    /// - Returns: the gateway.
    /// - Throws: `NeverReady`.
    static func start(
        data folder: String,
        _ scratch: ScratchFolder,
        wrap: ([String]) -> [String] = { $0 }
    ) async throws -> Self {
        let readyFile = scratch.path(of: "ready-\(UUID()).json")
        let process = try ChildProcess(wrap(command(data: folder, readyFile: readyFile)))
        for await line in process.lines where line.contains("is ready") {
            let data = try Data(contentsOf: URL(filePath: readyFile))
            return Self(ready: try JSONDecoder().decode(GatewayReadyFile.self, from: data), process: process)
        }
        throw NeverReady(ended: await process.ended())
    }

    /// Starts it where it should refuse; one that is ready all the same is ended with SIGTERM.
    static func refusal(
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

    /// Ends it as a person does, and returns how it ended.
    func stop() async -> ChildProcess.Ended {
        process.send(SIGTERM)
        return await process.ended()
    }

    /// A gateway that ended before it was ready.
    struct NeverReady: Error {
        let ended: ChildProcess.Ended
    }
}
