internal import Foundation
internal import LocalFiles

/// The file that a service writes once it is ready.
package enum ReadyFile {
    /// Removes the file of an earlier process, which readers would mistake for this one's.
    package static func remove(_ path: String?) {
        if let path { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Writes the file atomically and for its owner only, so that a reader never sees half of it.
    ///
    /// - Throws: `ReadyFileError` if the file cannot be written.
    package static func write(_ contents: some Encodable, to path: String?) throws(ReadyFileError) {
        guard let path else { return }
        do {
            try AtomicFile.write(Array(try JSONText.data(contents)), to: path)
        } catch {
            throw ReadyFileError(path: path, reason: "\(error)")
        }
    }
}

/// The ready file cannot be written.
package struct ReadyFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file's path.
    package let path: String

    /// The system's reason.
    package let reason: String

    /// A human-readable description.
    package var description: String {
        "cannot write the ready file \(path): \(reason)"
    }
}
