internal import Foundation

/// The clock of a provider's process, which libfaketime moves.
struct ProviderClock: Sendable {
    private let library: String
    private let file: URL

    /// Creates a clock, whose offset is in a file of a folder.
    ///
    /// - Parameters:
    ///   - library: the path of libfaketime.
    ///   - folder: the folder.
    ///   - seconds: the number of seconds by which the clock is ahead of the system's at the start.
    /// - Throws: the error of the file system.
    init(_ library: String, in folder: URL, ahead seconds: Int) throws {
        self.library = library
        file = folder.appending(path: "clock")
        try set(to: seconds)
    }

    /// Returns the path of libfaketime, as Debian installs it; `nil` if it is not installed.
    static func library() -> String? {
        let root = "/usr/lib"
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let paths = [root] + folders.sorted().map { "\(root)/\($0)" }
        return paths.map { "\($0)/faketime/libfaketime.so.1" }.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The environment variables with which a process has the clock.
    ///
    /// Only the time of day moves; time-outs take as long as before.
    var variables: [String: String] {
        [
            "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": file.path, "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        ]
    }

    /// Sets the number of seconds by which the clock is ahead of the system's.
    ///
    /// - Throws: the error of the file system.
    func set(to seconds: Int) throws {
        try Data("\(seconds < 0 ? "" : "+")\(seconds)\n".utf8).write(to: file, options: .atomic)
    }
}
