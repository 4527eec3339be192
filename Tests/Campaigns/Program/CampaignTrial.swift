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
    /// - Throws: `GatewayProcess.NeverReady` if it ended before it was ready, or was not ready in time.
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
        let before = FileManager.default.contents(atPath: file) ?? Data()
        let log = before + Data((ended.errors + "ended with \(ended.status)\n").utf8)
        try? log.write(to: URL(filePath: file))
    }
}

/// A file of JSON Lines to which a trial writes what it does and sees.
final class History: Sendable {
    private let file: Mutex<FileHandle>
    private let start = ContinuousClock.now

    /// Creates the file.
    init(_ path: String) throws {
        try Data().write(to: URL(filePath: path))
        file = Mutex(try FileHandle(forWritingTo: URL(filePath: path)))
    }

    /// Adds a line.
    func add(_ event: some Encodable) {
        guard let line = try? JSONEncoder().encode(event) else { return }
        file.withLock { $0.write(line + Data("\n".utf8)) }
    }

    /// Adds a line with the time since the beginning of the trial, who acts, and a text.
    func note(_ actor: String, _ text: String) {
        add(["time": "\(ContinuousClock.now - start)", "actor": actor, "text": text])
    }
}
