import Foundation
import WaypostSchema

/// A gateway in its own process, with a folder that is removed with it.
final class GatewayProgram {
    private let process = Process()
    private let folder: URL

    init(arguments: [String]) throws {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
            path: "waypost-gateway"
        )
        folder = FileManager.default.temporaryDirectory.appending(path: "waypost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        process.executableURL = program
        process.arguments =
            [
                "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--data",
                folder.appending(path: "data").path,
                "--ready-file", readyFile.path,
            ] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    private var readyFile: URL {
        folder.appending(path: "ready.json")
    }

    /// Waits until the gateway listens, and returns its addresses.
    func ready() async throws -> GatewayReadyFile {
        while true {
            if let data = try? Data(contentsOf: readyFile) {
                return try JSONDecoder().decode(GatewayReadyFile.self, from: data)
            }
            guard process.isRunning else { throw Failure(description: "the gateway did not start") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Returns the resident memory of the gateway (`VmRSS`), in bytes.
    func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let kilobytes = line?.split(separator: " ").compactMap({ Int($0) }).first else {
            throw Failure(description: "the memory use of the gateway cannot be read")
        }
        return kilobytes << 10
    }

    /// Stops the gateway and removes its folder.
    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
