package import Foundation

/// Files that are written whole or not at all, and are on the disk once they are.
package enum WholeFile {
    /// Writes a file, in the place of one that is there.
    ///
    /// - Parameters:
    ///   - text: what is in it.
    ///   - path: where it is; its folder has to be there.
    ///   - mode: who may read it, at no time anybody else.
    /// - Throws: `POSIXError`.
    package static func write(_ text: String, to path: String, mode: mode_t) throws(POSIXError) {
        let draft = path + ".new"
        // Who was killed while writing may have left one.
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw lastError }
        defer { close(file) }
        let bytes = Array(text.utf8)
        // The mode that a file is made with is what the umask leaves of it.
        guard fchmod(file, mode) == 0, pwrite(file, bytes, bytes.count, 0) == bytes.count, fsync(file) == 0,
            rename(draft, path) == 0
        else { throw lastError }
    }

    private static var lastError: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}

extension POSIXError {
    /// What the system calls it.
    package var words: String {
        String(cString: strerror(code.rawValue))
    }
}
