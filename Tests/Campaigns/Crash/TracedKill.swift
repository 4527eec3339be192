import Foundation
import WaypostTestSupport

/// A kill of a gateway at a system call, after which the write-ahead log loses all that was not synced.
///
/// The kill alone would lose nothing that was written, because the system still has it; a power failure would.
struct TracedKill: Sendable {
    /// Whether strace is installed and can inject signals.
    static let isPossible = ExternalCommand.succeeds([
        "strace", "-D", "-f", "-o", "/dev/null", "-e", "trace=fdatasync", "-e", "inject=fdatasync:signal=KILL:when=1",
        "true",
    ])

    /// The system call at which the gateway is killed.
    private let call: String

    /// The number of the call in its thread.
    private let number: Int

    /// The microseconds between the call and the kill, in which answers that are sent too early reach their clients.
    private let delay: Int

    private let trace: String

    /// Creates a random kill, whose trace is written to a file.
    init(tracing trace: String, using generator: inout some RandomNumberGenerator) {
        self.trace = trace
        let isSync = Bool.random(using: &generator)
        call = isSync ? "fdatasync" : "pwrite64"
        number = .random(in: isSync ? 2...60 : 10...400, using: &generator)
        delay = Bool.random(using: &generator) ? 30_000 : 0
    }

    /// A description for the history.
    var description: String {
        "kill at \(call) \(number), after \(delay) µs"
    }

    /// Returns the command of a gateway with the tracer, which does not replace the gateway's process.
    func wrap(_ command: [String]) -> [String] {
        let injection = "inject=\(call):signal=KILL:when=\(number)" + (delay == 0 ? "" : ":delay_enter=\(delay)")
        return [
            "strace", "-D", "-f", "-y", "-s", "0", "-e", "trace=pwrite64,fdatasync,fsync", "-e", "signal=none",
            "-e", injection, "-o", trace,
        ] + command
    }

    /// Overwrites with zeros what the gateway wrote to the write-ahead log and did not sync.
    ///
    /// The gateway and the tracer have ended.
    ///
    /// - Parameter folder: The data folder.
    /// - Returns: The number of bytes.
    /// - Throws: An error of the file system.
    func loseUnsyncedWrites(in folder: String) throws -> Int {
        let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        guard let file = FileHandle(forUpdatingAtPath: folder + "/waypost.sqlite-wal") else { return 0 }
        defer { try? file.close() }
        let size = Int(try file.seekToEnd())
        var count = 0
        for range in UnsyncedWrites(lines, suffix: "-wal").ranges {
            let part = range.clamped(to: 0..<size)
            guard !part.isEmpty else { continue }
            try file.seek(toOffset: UInt64(part.lowerBound))
            try file.write(contentsOf: Data(count: part.count))
            count += part.count
        }
        return count
    }
}
