internal import Foundation
internal import LocalProcesses

/// The checks of the machine.
enum MachineChecks {
    /// The minimum limit of open files that a process with many connections needs.
    private static let minimumOpenFileLimit: UInt = 4_096

    /// Makes all checks.
    static func all() async -> [HealthCheck] {
        let programChecks = ["waypost-gateway", "waypost-agent"].map(programCheck)
        return [await toolchainCheck()] + programChecks + [openFilesCheck, portsCheck]
    }

    private static func toolchainCheck() async -> HealthCheck {
        guard let output = try? await ProgramRun.output(of: "swift", ["--version"]),
            let line = output.split(separator: "\n").first
        else {
            return .skipped("toolchain", "no Swift on the PATH; only building needs it")
        }
        return .ok("toolchain", String(line))
    }

    /// Checks that users and test libraries find a program: a link to the file of this one.
    private static func programCheck(_ program: String) -> HealthCheck {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let paths = ([folder] + folders).map { "\($0)/\(program)" }
        if let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) { return .ok(program, path) }
        return .problem(
            program,
            "neither in \(folder) nor on the PATH",
            remedy: "make a link to this program: ln -s waypost \(folder)/\(program)"
        )
    }

    private static var openFilesCheck: HealthCheck {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return .skipped("open files", "the limit is unknown")
        }
        // The programs raise their own limit to the hard one.
        return limit.rlim_max >= minimumOpenFileLimit
            ? .ok("open files", "up to \(limit.rlim_max) in a process")
            : .problem(
                "open files",
                "only \(limit.rlim_max) in a process",
                remedy: "raise the hard limit: ulimit -Hn \(minimumOpenFileLimit)"
            )
    }

    private static var portsCheck: HealthCheck {
        let usedPorts = [7330, 7331, 7333, 7340].filter { !ReservedPort.isFree($0) }
        return usedPorts.isEmpty
            ? .ok("ports", "those of 'waypost up' are free")
            : .skipped(
                "ports",
                "in use: \(usedPorts.map(String.init).joined(separator: ", ")); 'waypost up --free-ports' uses others"
            )
    }
}
