internal import Foundation
internal import LocalProcesses

/// The checks of the machine.
enum MachineChecks {
    /// The minimum limit of open files that a process with many connections needs.
    private static let minimumOpenFileLimit: UInt = 4_096

    /// Makes all checks.
    static func all() async -> [HealthCheck] {
        var checks = [await toolchainCheck()]
        for program in ["waypost-gateway", "waypost-agent"] { checks.append(await programCheck(program)) }
        return checks + [openFilesCheck, portsCheck]
    }

    private static func toolchainCheck() async -> HealthCheck {
        guard let output = try? await ProgramRun.output(of: "swift", ["--version"]),
            let line = output.split(separator: "\n").first
        else {
            return .skipped("toolchain", "no Swift on the PATH; only building needs it")
        }
        return .ok("toolchain", String(line))
    }

    /// Starts a program to check that it and its libraries are installed.
    private static func programCheck(_ program: String) async -> HealthCheck {
        do {
            let version = try await ProgramRun.output(of: program, ["--version"])
            return .ok(program, version.trimmingCharacters(in: .whitespacesAndNewlines))
        } catch {
            let problem = (error as? ProcessFailure)?.description ?? "\(error)"
            guard problem.contains("shared libraries") else {
                return .problem(program, problem, remedy: "put \(program) beside waypost, or on the PATH")
            }
            let packages = "libnghttp2-14 libpq5 libsqlite3-0 zlib1g"
            return .problem(program, problem, remedy: "install the libraries: apt-get install \(packages)")
        }
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
