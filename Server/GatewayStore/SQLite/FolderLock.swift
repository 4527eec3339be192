internal import Foundation

/// The lock on a store's folder: one gateway at a time has it.
///
/// The system lets go of it when the process ends, however it ends, so that nothing stale is ever in the way.
final class FolderLock: Sendable {
    private let descriptor: CInt

    /// Takes the lock that is the file at `path`.
    ///
    /// - Throws: `LockFault`, where another has it or the file cannot be opened.
    init(path: String) throws(LockFault) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK ? .taken : .unusable(code)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Lets go of the lock.
    func release() {
        flock(descriptor, LOCK_UN)
    }
}

/// Why a folder could not be locked.
enum LockFault: Error, Equatable {
    /// Another has it.
    case taken

    /// The file cannot be used; the system's code.
    case unusable(CInt)
}
