import Foundation
import ProcessTestSupport
import Synchronization
import WaypostTestSupport

/// The seed, the programs and the folder of one trial.
struct CampaignTrial: Sendable {
    /// The seed of everything that the trial chooses.
    let seed: UInt64

    /// The folder of the programs `waypost`, `waypost-gateway` and `waypost-agent`.
    let programs: String

    /// The folder for the data, logs and history of the trial; it is kept if there is a violation.
    let folder: String

    /// The operations of the trial in the order in which they began or ended.
    let history: History

    /// Creates the folder of a trial.
    init(seed: UInt64, programs: String, folder: String) throws {
        (self.seed, self.programs, self.folder) = (seed, programs, folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        history = try History(folder + "/history.jsonl")
    }

    /// Returns the path of a file in the folder of the trial.
    func path(of name: String) -> String {
        "\(folder)/\(name)"
    }

    /// Starts a gateway on the data of the trial, with listeners on free ports.
    ///
    /// - Parameters:
    ///   - data: The name of the data folder in the folder of the trial.
    ///   - options: More options of the gateway; a later option replaces an earlier one.
    ///   - wrap: Wraps the command in another program, which must replace its process with the gateway.
    /// - Returns: The running gateway.
    /// - Throws: `GatewayProcess.NeverReady` if it ended before it was ready.
    func startGateway(
        data: String = "data",
        options: [String] = [],
        wrap: ([String]) -> [String] = { $0 }
    ) async throws -> GatewayProcess {
        let readyFile = path(of: "ready-\(UUID()).json")
        let command = GatewayProcess.command(
            "\(programs)/waypost-gateway",
            data: path(of: data),
            readyFile: readyFile
        )
        return try await GatewayProcess.start(wrap(command + options), readyFile: readyFile)
    }

    /// Adds the log of an ended process to a file of the trial.
    func keepLog(of ended: ChildProcess.Ended, _ name: String = "gateway.log") {
        let file = path(of: name)
        if !FileManager.default.fileExists(atPath: file) { FileManager.default.createFile(atPath: file, contents: nil) }
        guard let handle = FileHandle(forWritingAtPath: file) else { return }
        handle.seekToEndOfFile()
        handle.write(Data((ended.errors + "ended with \(ended.status)\n").utf8))
        handle.closeFile()
    }
}

/// A file of JSON Lines to which a trial writes what it does and sees.
final class History: Sendable {
    private let file: Mutex<FileHandle>

    /// Creates the file.
    init(_ path: String) throws {
        FileManager.default.createFile(atPath: path, contents: nil)
        file = Mutex(try FileHandle(forWritingTo: URL(filePath: path)))
    }

    /// Adds a line.
    func add(_ event: some Encodable) {
        guard let line = try? JSONEncoder().encode(event) else { return }
        file.withLock { $0.write(line + Data("\n".utf8)) }
    }

    /// Adds a line with a time since the start of the machine, who acts, and a text.
    func note(_ actor: String, _ text: String) {
        let now = ContinuousClock.now
        add(["time": "\(ContinuousClock.systemEpoch.duration(to: now))", "actor": actor, "text": text])
    }
}
