internal import Foundation
internal import LocalAuthority

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
        do throws(POSIXError) {
            try WholeFile.write(token + "\n", to: path, mode: 0o600)
        } catch {
            throw .cannotUseAdminToken("\(path) cannot be written: \(error.words)")
        }
        return token
    }

    private func fault(_ what: String) -> StartFault {
        .cannotUseAdminToken("\(path) \(what): \(String(cString: strerror(errno)))")
    }
}
