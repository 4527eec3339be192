internal import Foundation

/// The processor time of each thread of this process, and of the whole machine.
struct ProcessorUsage: Sendable, Equatable {
    /// The seconds by the identifiers of the threads.
    private var seconds: [String: Double] = [:]

    /// The seconds in which any processor of the machine was busy, added up.
    private var machine = 0.0

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
            usage.seconds[thread] = (user + system) / ticks
        }
        // The first line has the time of all processors: user, nice, system, idle, and waiting for the disk.
        let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.prefix { $0 != "\n" }
        let times = (line ?? "").split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        usage.machine = times.enumerated().reduce(0) { $0 + ([3, 4].contains($1.offset) ? 0 : $1.element) } / ticks
        return usage
    }

    /// Returns the share of the machine that other programs needed.
    ///
    /// - Parameters:
    ///   - earlier: the usage before.
    ///   - length: the seconds between both.
    ///   - gateway: the processor time of the gateway per second.
    /// - Returns: the share, from 0 to 1.
    func others(since earlier: Self, seconds length: Double, gateway: Double) -> Double {
        let own = seconds.values.reduce(0, +) - earlier.seconds.values.reduce(0, +)
        let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
        return min(1, max(0, (machine - earlier.machine - own) / max(length, 0.001) - gateway) / cores)
    }

    /// Returns the share of the time in which the busiest thread was busy.
    func busiest(since earlier: Self, seconds length: Double) -> Double {
        let shares = seconds.map { ($0.value - (earlier.seconds[$0.key] ?? 0)) / max(length, 0.001) }
        return min(1, shares.max() ?? 0)
    }
}
