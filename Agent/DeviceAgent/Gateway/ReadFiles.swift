internal import LocalFiles
internal import Synchronization

/// The versions of local files when they were read last.
final class ReadFiles: Sendable {
    private let versions = Mutex<[String: FileVersion?]>([:])

    /// Records the present version of the file at a path, which is then read.
    func record(_ path: String) {
        let version = FileVersion(of: path)
        versions.withLock { _ = $0.updateValue(version, forKey: path) }
    }

    /// Returns whether a file was not read yet, or has another version now, or was removed or created.
    func hasChanged(_ path: String) -> Bool {
        guard let version = versions.withLock({ $0[path] }) else { return true }
        return version != FileVersion(of: path)
    }
}
