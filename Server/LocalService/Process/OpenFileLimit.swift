internal import Foundation

/// The limit on the files, including connections, that this process may have open.
package enum OpenFileLimit {
    /// Raises the limit to the maximum that the system allows.
    ///
    /// Shells start programs with a lower limit, for the sake of programs that use select(2). A gateway has a
    /// connection for each device and each client, and an agent has one for each of its devices.
    package static func raise() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }
}
