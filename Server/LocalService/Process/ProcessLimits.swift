internal import Foundation

/// The limits of the system for this process.
package enum ProcessLimits {
    /// Raises the limit on open files, including connections, to the maximum that the system allows.
    ///
    /// Shells start programs with a lower limit, for the sake of programs that use select(2). A gateway has a
    /// connection for each device and each client, and an agent has one for each of its devices.
    package static func raiseOpenFiles() {
        set(RLIMIT_NOFILE) { $0.rlim_cur = $0.rlim_max }
    }

    /// Lets a crash leave no core file, which would contain tokens and keys.
    ///
    /// Only the soft limit is lowered, so `prlimit --core` can raise it again to look for a defect.
    package static func disableCoreFiles() {
        set(RLIMIT_CORE) { $0.rlim_cur = 0 }
    }

    private static func set(_ resource: __rlimit_resource, _ change: (inout rlimit) -> Void) {
        let resource = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        change(&limit)
        _ = setrlimit(resource, &limit)
    }
}
