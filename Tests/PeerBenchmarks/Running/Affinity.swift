import Foundation

/// The processors that may run this program and those that it starts.
enum Affinity {
    /// Restricts this thread, and all programs that it starts later, to the last processor that it may use.
    static func useOneProcessor(_ workspace: Workspace) throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        // Such as "Cpus_allowed_list:\t0-1".
        let list = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
        guard let last = list?.split(whereSeparator: { !$0.isNumber }).last else {
            throw Failure("/proc/self/status does not say which processors this program may use")
        }
        // Glibc's function for it is not visible in Swift.
        let arguments = ["--pid", "--cpu-list", String(last), "\(getpid())"]
        try Child("taskset", arguments, in: try workspace.makeFolder("taskset")).finish()
    }
}
