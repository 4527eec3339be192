internal import Foundation

/// A file that is open, and closed when nobody needs it any more.
final class OpenFile: Sendable {
    /// Why the system refused something.
    struct SystemError: Error, Equatable {
        /// The system's code.
        let code: CInt
    }

    private let descriptor: CInt

    /// Opens the file at `path`; where it may be `made`, one that only its owner may read.
    init(path: String, made: Bool = true) throws(SystemError) {
        let descriptor = open(path, (made ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Returns the file's first bytes, `count` at most.
    func read(upTo count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = pread(descriptor, &bytes, count, 0)
        guard length >= 0 else { throw SystemError(code: errno) }
        return Array(bytes.prefix(length))
    }

    /// Writes over the file's first bytes; `false` where that failed.
    func overwrite(with bytes: [UInt8]) -> Bool {
        pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    /// Waits until the file is on the disk; `false` where that failed.
    func sync() -> Bool {
        fsync(descriptor) == 0
    }

    /// Takes the file's lock; `false` where another has it.
    func lock() throws(SystemError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SystemError(code: errno) }
        return false
    }

    /// Lets go of the file's lock.
    func unlock() {
        flock(descriptor, LOCK_UN)
    }
}
