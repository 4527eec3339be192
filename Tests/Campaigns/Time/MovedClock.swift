import Foundation
import ProcessTestSupport

/// The system's clock as a program sees it that runs with libfaketime.
///
/// The program reads an offset from a file each time that it reads the clock. Time-outs take as long as before.
struct MovedClock: Sendable {
    /// The number of seconds by which the clock is ahead of the system's.
    private(set) var offset = 0

    private let library: String
    private let file: URL

    /// Creates a clock that is right; `nil` if libfaketime is not installed.
    ///
    /// - Parameter path: The path of the file with the offset.
    /// - Throws: An error of the file system.
    init?(_ path: String) throws {
        guard let library = Self.installedLibrary else { return nil }
        (self.library, file) = (library, URL(filePath: path))
        try set(to: 0)
    }

    /// The path of libfaketime, as Debian installs it.
    private static var installedLibrary: String? {
        let root = "/usr/lib"
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let paths = ([root] + folders.sorted().map { "\(root)/\($0)" }).map { "\($0)/faketime/libfaketime.so.1" }
        return paths.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// Returns the command that runs a program with the clock, in the same process.
    ///
    /// The first program of libfaketime changes its environment before it begins. Swift's runtime does not find the
    /// arguments of a program after that, so a shell is the first.
    func command(_ command: [String]) -> [String] {
        [
            "env", "LD_PRELOAD=\(library)", "FAKETIME_TIMESTAMP_FILE=\(file.path)", "FAKETIME_NO_CACHE=1",
            "DONT_FAKE_MONOTONIC=1", "FAKETIME_DONT_FAKE_MONOTONIC=1", "NO_FAKE_STAT=1",
        ] + GatewayProcess.shell(#"exec "$@""#, command)
    }

    /// Sets the number of seconds by which the clock is ahead of the system's.
    mutating func set(to seconds: Int) throws {
        try Data("\(seconds < 0 ? "" : "+")\(seconds)\n".utf8).write(to: file, options: .atomic)
        offset = seconds
    }

    /// Returns the time of a clock with an offset, to about a minute, in milliseconds.
    static func reading(offset: Int) -> ClosedRange<Int> {
        let now = Int(Date().timeIntervalSince1970 * 1_000) + offset * 1_000
        return now - 60_000...now + 60_000
    }
}
