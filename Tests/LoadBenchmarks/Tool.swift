import Foundation

/// A program that a benchmark runs: one of this build, or one of the system.
struct Tool {
    let name: String

    /// The path of the program, or `nil` if it is not installed.
    var path: String? {
        let own = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: name).path
        // Servers are in a folder that is not on every user's path.
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").components(separatedBy: ":") + ["/usr/sbin"]
        let candidates = [own].compactMap(\.self) + folders.map { "\($0)/\(name)" }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Starts the program, and leaves it running.
    func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = path.map { URL(filePath: $0) }
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Runs the program, and returns what it printed.
    func run(_ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = path.map { URL(filePath: $0) }
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}
