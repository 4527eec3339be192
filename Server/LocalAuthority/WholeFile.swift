package import Foundation

/// Files that are written completely or not at all, and are on disk once the call returns.
package enum WholeFile {
    /// Writes a file, replacing an existing one.
    ///
    /// - Parameters:
    ///   - text: the content of the file.
    ///   - path: the path of the file, in an existing folder.
    ///   - mode: the permissions of the file, which are never wider, not even for an instant.
    /// - Throws: `POSIXError`.
    package static func write(_ text: String, to path: String, mode: mode_t) throws(POSIXError) {
        let draft = path + ".new"
        // A process that was killed while it wrote may have left a draft.
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw lastError }
        defer { close(file) }
        let bytes = Array(text.utf8)
        // The umask restricts the mode of a new file, so the mode is set again.
        guard fchmod(file, mode) == 0, pwrite(file, bytes, bytes.count, 0) == bytes.count, fsync(file) == 0,
            rename(draft, path) == 0
        else { throw lastError }
    }

    private static var lastError: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}

extension POSIXError {
    /// The system's description of the error.
    package var words: String {
        String(cString: strerror(code.rawValue))
    }
}
