internal import Foundation

/// The file in which a service says that it is ready.
package enum ReadyFile {
    /// Removes the file that an earlier process left, which would be believed.
    package static func remove(_ path: String?) {
        if let path { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Writes the file whole or not at all, so that a reader never finds half of it.
    ///
    /// - Throws: `ReadyFileError`.
    package static func write(_ ready: some Encodable, to path: String?) throws(ReadyFileError) {
        guard let path else { return }
        do {
            try JSONText.data(ready).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw ReadyFileError(path: path, reason: error.localizedDescription)
        }
    }
}

/// The ready file cannot be written.
package struct ReadyFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file's path.
    package let path: String

    /// The system's reason.
    package let reason: String

    /// The same for a person.
    package var description: String {
        "cannot write the ready file \(path): \(reason)"
    }
}
