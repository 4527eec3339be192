internal import Foundation

/// The resources that this process has used, with the names that Prometheus' own libraries give them.
struct ProcessUsage: Sendable {
    /// The processor time of all threads, in seconds.
    var processorSeconds: Double

    /// The resident memory, in bytes.
    var residentBytes: Int

    /// The usage up to now.
    static var now: Self {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        let seconds = times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        return Self(processorSeconds: seconds, residentBytes: resident * Int(sysconf(Int32(_SC_PAGESIZE))))
    }

    /// The metrics in Prometheus' text format.
    var text: String {
        """
        # HELP process_cpu_seconds_total Processor time of the gateway's process in seconds.
        # TYPE process_cpu_seconds_total counter
        process_cpu_seconds_total \(processorSeconds)
        # HELP process_resident_memory_bytes Resident memory of the gateway's process in bytes.
        # TYPE process_resident_memory_bytes gauge
        process_resident_memory_bytes \(residentBytes)

        """
    }
}
