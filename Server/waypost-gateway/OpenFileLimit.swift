import Foundation

/// How many files a process may have open, connections among them.
enum OpenFileLimit {
    /// Takes as many as the system gives.
    ///
    /// A shell starts programs with fewer, for the sake of those that wait with select(2); this one has a connection for each
    /// device and each client.
    static func raise() {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(files, &limit)
    }
}
