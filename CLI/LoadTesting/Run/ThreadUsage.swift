internal import Foundation

/// The processor time of each thread of this process.
struct ThreadUsage: Sendable, Equatable {
    /// The seconds by the identifiers of the threads.
    private var seconds: [String: Double] = [:]

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
        return usage
    }

    /// Returns the share of the time in which the busiest thread was busy.
    func busiest(since earlier: Self, seconds length: Double) -> Double {
        let shares = seconds.map { ($0.value - (earlier.seconds[$0.key] ?? 0)) / max(length, 0.001) }
        return min(1, shares.max() ?? 0)
    }
}
