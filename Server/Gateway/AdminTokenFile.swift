internal import Foundation

/// The file that a gateway keeps its administrative token in: a line that nobody but its owner may read.
struct AdminTokenFile {
    let path: String

    /// Returns the file's line; `nil` where there is no file.
    ///
    /// - Throws: `StartFault.cannotUseAdminToken` where it cannot be read, or others may read or write it.
    func read() throws(StartFault) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw fault("cannot be read") }
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw fault("cannot be read") }
        guard status.st_mode & 0o077 == 0 else {
            throw .cannotUseAdminToken("\(path) can be read or written by others; make it private: chmod 600 \(path)")
        }
        // More than a token and a line feed is none.
        var bytes = [UInt8](repeating: 0, count: 66)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw fault("cannot be read") }
        let line = bytes.prefix(count)
        return String(decoding: line.last == 0x0A ? line.dropLast() : line, as: UTF8.self)
    }

    /// Writes the file with `token` in it, whole or not at all, and returns the token.
    ///
    /// - Throws: `StartFault.cannotUseAdminToken`.
    func write(_ token: String) throws(StartFault) -> String {
        let draft = path + ".new"
        // A gateway that was killed while it wrote may have left one; the store's lock keeps others away.
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw fault("cannot be made") }
        defer { close(file) }
        let line = Array((token + "\n").utf8)
        // The mode that a file is made with is what the umask leaves of it.
        guard fchmod(file, 0o600) == 0, pwrite(file, line, line.count, 0) == line.count, fsync(file) == 0,
            rename(draft, path) == 0
        else { throw fault("cannot be written") }
        return token
    }

    private func fault(_ what: String) -> StartFault {
        .cannotUseAdminToken("\(path) \(what): \(String(cString: strerror(errno)))")
    }
}
