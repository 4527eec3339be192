package import LocalFiles
internal import Synchronization
package import UniversalLinks

/// The versions of the local files that requests for association files have read last.
///
/// Several domains can share a file, and each of them must read it again after a change.
package final class ReadFiles: Sendable {
    private let versions = Mutex<[AssociationRequest: FileVersion?]>([:])

    /// Creates the value before any file was read.
    package init() {}

    /// Records the version of the file that a request has read, or `nil` if there was no file.
    package func record(_ version: FileVersion?, for request: AssociationRequest) {
        versions.withLock { _ = $0.updateValue(version, forKey: request) }
    }

    /// Returns whether a request has not read the file at a path yet, or the file is not the version that it read.
    package func hasChanged(_ path: String, for request: AssociationRequest) -> Bool {
        guard let version = versions.withLock({ $0[request] }) else { return true }
        return version != FileVersion(of: path)
    }
}
