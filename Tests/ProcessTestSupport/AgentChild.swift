import Foundation
package import WaypostSchema
package import WaypostTestSupport

/// The agent's executable, with a device that is stored in a folder.
package struct AgentChild: Sendable {
    /// The agent's process.
    package let process: ChildProcess

    /// The URL of its control API.
    package let control: String

    /// The folder in which the agent stores the device.
    package let folder: String

    /// The executable, which is built beside these tests.
    package static let program = BuiltPrograms.path(of: "waypost-agent")

    /// Starts the agent and waits until its device is connected.
    ///
    /// - Throws: `GatewayProcess.NeverReady` if the agent ended before that, or it took too long.
    package static func start(
        _ file: String,
        data folder: String,
        gateway: GatewayReadyFile,
        _ scratch: ScratchFolder,
        wrap: ([String]) -> [String] = { $0 }
    ) async throws -> Self {
        let readyFile = scratch.path(of: "agent-\(UUID()).json")
        let command = Self.command(file, data: folder, gateway: gateway, readyFile: readyFile)
        let process = try ChildProcess(wrap(command))
        try await GatewayProcess.waitUntilReady(process)
        let data = try Data(contentsOf: URL(filePath: readyFile))
        let ready = try JSONDecoder().decode(AgentReadyFile.self, from: data)
        return Self(process: process, control: ready.control, folder: folder)
    }

    /// Returns the command that runs an agent with a device file, on the data in `folder`.
    package static func command(
        _ file: String,
        program: String = program,
        data folder: String,
        gateway: GatewayReadyFile,
        readyFile: String
    ) -> [String] {
        [
            program, "--device", file, "--data", folder, "--gateway", gateway.service, "--courier", gateway.courier,
            "--ready-file", readyFile,
        ]
    }

    /// Kills the agent with SIGKILL and waits until it has ended.
    package func kill() async {
        process.send(SIGKILL)
        _ = await process.ended()
    }

    /// The notifications in complete lines of the journal, repeated as often as they occur there.
    package var journaled: [NotificationID] {
        get throws { try Self.journaled(in: folder) }
    }

    /// Returns the notifications in complete lines of the journal in `folder`, repeated as often as they occur there.
    package static func journaled(in folder: String) throws -> [NotificationID] {
        let text = try String(contentsOfFile: folder + "/journal.jsonl", encoding: .utf8)
        return text.split(separator: "\n").compactMap { line in
            let entry = try? JSONDecoder().decode(JournalEntry.self, from: Data(line.utf8))
            guard case .notification(.notificationDelivered(let notification)) = entry?.event else { return nil }
            return notification.id
        }
    }
}
