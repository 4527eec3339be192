import Foundation
import Glibc

/// The time and the processor time that have passed, to take differences.
struct Usage {
    let wall: Double

    /// The time for which the client ran, or waited for a processor.
    let client: Double
    let server: Double

    /// Returns the present values, in seconds.
    ///
    /// Without servers, the benchmark itself is the server.
    static func now(_ servers: [Child]) -> Self {
        var own = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
        return Self(
            wall: Double(Clock.now) / 1e9,
            client: SchedulerTime.of("self"),
            server: servers.isEmpty ? own.processorTime : servers.reduce(0) { $0 + $1.processorTime }
        )
    }

    static func - (end: Self, start: Self) -> Self {
        Self(wall: end.wall - start.wall, client: end.client - start.client, server: end.server - start.server)
    }
}

/// The time for which threads were not idle, as the kernel's scheduler counts it.
enum SchedulerTime {
    /// Returns the seconds for which a thread ran or waited for a processor.
    ///
    /// The thread is that of a path below `/proc`; that of a process is its first one.
    static func of(_ thread: String) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(thread)/schedstat", encoding: .utf8)) ?? ""
        return text.split(separator: " ").prefix(2).compactMap { Double($0) }.reduce(0, +) / 1e9
    }
}

/// The monotonic clock.
enum Clock {
    /// The present time in nanoseconds.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Returns the seconds since a time of this clock.
    static func seconds(since start: Int) -> Double {
        Double(now - start) / 1e9
    }
}

extension rusage {
    /// The time on processors in seconds.
    var processorTime: Double {
        Double(ru_utime.tv_sec + ru_stime.tv_sec) + Double(ru_utime.tv_usec + ru_stime.tv_usec) / 1e6
    }
}

/// The state of the machine beside a measurement.
enum Machine {
    /// The load average of the last minute.
    static var load: Double {
        var average = 0.0
        getloadavg(&average, 1)
        return average
    }

    /// Returns the median time of a sync of 4 KiB of written data (`fdatasync`), in microseconds.
    static func syncTime(in folder: URL, samples: Int = 50) -> Double {
        let descriptor = open(folder.appending(path: "sync").path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0x5A, count: 4_096)
        return (0..<samples).map { _ in
            let start = Clock.now
            _ = write(descriptor, page, page.count)
            _ = fdatasync(descriptor)
            return Double(Clock.now - start) / 1_000
        }.median
    }
}

extension [Double] {
    /// The median, or NaN if there are no values.
    var median: Double {
        isEmpty ? .nan : sorted()[count / 2]
    }

    /// The least value, or NaN if there are no values.
    var least: Double {
        self.min() ?? .nan
    }

    /// The value below which a share of the values is.
    func percentile(_ share: Double) -> Double {
        isEmpty ? .nan : sorted()[Swift.min(count - 1, Int(Double(count) * share))]
    }
}
