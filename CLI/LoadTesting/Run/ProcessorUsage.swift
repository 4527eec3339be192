internal import Foundation

/// The processor time of each thread of this process, and of the whole machine.
struct ProcessorUsage: Sendable, Equatable {
    /// The processor time of each thread in seconds, by the identifier of the thread.
    private var threadSeconds: [String: Double] = [:]

    /// The processor time of all processes of the machine, in seconds.
    private var machineSeconds = 0.0

    /// Returns the usage up to now.
    static func now() -> Self {
        var usage = Self()
        let folder = "/proc/self/task"
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let text = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { continue }
            // After the name come the state and ten numbers, then the time in the program and in the kernel.
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { continue }
            usage.threadSeconds[thread] = (user + system) / ticks
        }
        // The first line has the time of all processors: user, nice, system, idle, and waiting for the disk.
        let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.prefix { $0 != "\n" }
        let times = (line ?? "").split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        let busyTicks = times.enumerated().reduce(0) { $0 + ([3, 4].contains($1.offset) ? 0 : $1.element) }
        usage.machineSeconds = busyTicks / ticks
        return usage
    }

    /// Returns the share of the machine that other programs needed.
    ///
    /// - Parameters:
    ///   - earlier: the usage before.
    ///   - elapsedSeconds: the seconds between both.
    ///   - gatewayCores: the processor time of the gateway per second.
    /// - Returns: the share, from 0 to 1.
    func otherProgramsShare(since earlier: Self, seconds elapsedSeconds: Double, gatewayCores: Double) -> Double {
        let ownSeconds = threadSeconds.values.reduce(0, +) - earlier.threadSeconds.values.reduce(0, +)
        let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
        let otherSeconds = machineSeconds - earlier.machineSeconds - ownSeconds
        return min(1, max(0, otherSeconds / max(elapsedSeconds, 0.001) - gatewayCores) / cores)
    }

    /// Returns the share of the time in which the busiest thread was busy.
    func busiestThreadShare(since earlier: Self, seconds elapsedSeconds: Double) -> Double {
        let shares = threadSeconds.map { thread, seconds in
            (seconds - (earlier.threadSeconds[thread] ?? 0)) / max(elapsedSeconds, 0.001)
        }
        return min(1, shares.max() ?? 0)
    }
}
