import Foundation

/// The memory and the open files of a process, as `/proc` shows them.
struct ProcessUse: Sendable {
    let identifier: Int32

    /// The maximum of the memory that the process has used, in MiB; `nil` if it has ended.
    var peakMemory: Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8),
            let match = status.firstMatch(of: /VmHWM:\s+(\d+) kB/), let kibibytes = Int(match.output.1)
        else { return nil }
        return (kibibytes + 1_023) / 1_024
    }

    /// The number of open descriptors; `nil` if the process has ended.
    var descriptorCount: Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd"))?.count
    }
}
