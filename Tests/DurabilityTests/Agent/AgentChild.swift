import Foundation
import WaypostSchema
import WaypostTestSupport

/// The agent's program, with a device in a folder.
struct AgentChild: Sendable {
    /// Its process.
    let process: ChildProcess

    /// The URL of its control API.
    let control: String

    /// The folder that the device is kept in.
    let folder: String

    private static let program =
        URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "waypost-agent").path

    /// Starts it, and waits until its device is connected.
    ///
    /// - Throws: `GatewayProcess.NeverReady` where it ended before.
    static func start(
        _ file: String,
        data folder: String,
        gateway: GatewayReadyFile,
        _ scratch: ScratchFolder
    ) async throws -> Self {
        let readyFile = scratch.path(of: "agent-\(UUID()).json")
        let process = try ChildProcess([
            program, "--device", file, "--data", folder, "--gateway", gateway.service, "--courier", gateway.courier,
            "--ready-file", readyFile,
        ])
        for await line in process.lines where line.contains("is ready") {
            let data = try Data(contentsOf: URL(filePath: readyFile))
            let ready = try JSONDecoder().decode(AgentReadyFile.self, from: data)
            return Self(process: process, control: ready.control, folder: folder)
        }
        throw GatewayProcess.NeverReady(ended: await process.ended())
    }

    /// Ends it without a word.
    func kill() async {
        process.send(SIGKILL)
        _ = await process.ended()
    }

    /// The notifications in its journal that are whole, each as often as it is there.
    var journaled: [NotificationID] {
        get throws {
            let text = try String(contentsOfFile: folder + "/journal.jsonl", encoding: .utf8)
            return text.split(separator: "\n").compactMap { line in
                let entry = try? JSONDecoder().decode(JournalEntry.self, from: Data(line.utf8))
                guard case .notificationDelivered(let notification) = entry?.event else { return nil }
                return notification.id
            }
        }
    }
}
