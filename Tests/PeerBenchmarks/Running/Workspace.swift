import Foundation
import Glibc

/// The temporary folder of a run, with a folder for each program, removed at the end.
struct Workspace {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "waypost-peers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // Five thousand devices have two connections each, and servers inherit the limit.
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        removeWhenInterrupted()
    }

    /// Returns a new folder.
    func makeFolder(_ name: String) throws -> URL {
        let folder = folder.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends all programs and removes the folder at the signals that end this program.
    private func removeWhenInterrupted() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        // All threads that start later inherit the mask, so only the thread below gets these signals.
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { [folder, signals] in
            var (signals, signal) = (signals, Int32(0))
            sigwait(&signals, &signal)
            Child.killAll()
            try? FileManager.default.removeItem(at: folder)
            _exit(128 + signal)
        }
    }
}
