internal import CFileSpace
package import Foundation

/// An open file; it is closed with the last reference to it.
package final class OpenFile: Sendable {
    private let descriptor: CInt

    /// Opens a regular file of the process's own user, which no program that is started inherits.
    ///
    /// If the file is created, or may be, only its owner can read it from then on.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - flags: the flags of `open(2)`, such as `O_RDWR | O_CREAT`.
    /// - Throws: `SystemError`, also for another kind of file or of another user.
    package convenience init(path: String, _ flags: CInt = O_RDONLY) throws(SystemError) {
        try self.init(regularAt: path, flags)
        let status = try status()
        guard status.st_uid == geteuid() else { throw SystemError(code: EPERM, "it belongs to another user") }
        if flags & O_CREAT != 0, status.st_mode & 0o777 != 0o600 { try check(fchmod(descriptor, 0o600)) }
    }

    /// Opens a regular file of any user, which no program that is started inherits.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - flags: the flags of `open(2)`.
    /// - Throws: `SystemError`, also for another kind of file.
    package convenience init(regularAt path: String, _ flags: CInt = O_RDONLY) throws(SystemError) {
        // Without `O_NONBLOCK`, a named pipe would block until another process opens it.
        try self.init(anyAt: path, flags | O_NONBLOCK)
        switch try mode() & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw SystemError(code: EISDIR, "it is a folder")
        default: throw SystemError(code: EINVAL, "it is not a regular file")
        }
    }

    /// Opens a file or folder of any kind and user, which no program that is started inherits.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - flags: the flags of `open(2)`.
    /// - Throws: `SystemError`.
    package init(anyAt path: String, _ flags: CInt = O_RDONLY) throws(SystemError) {
        descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the permissions of the file, and its type.
    package func mode() throws(SystemError) -> mode_t {
        try status().st_mode
    }

    /// Returns the version of the file.
    package func version() throws(SystemError) -> FileVersion {
        FileVersion(try status())
    }

    /// Whether the file is still the one at `path`: it was neither removed nor replaced.
    package func isAt(_ path: String) -> Bool {
        var pathStatus = stat()
        guard stat(path, &pathStatus) == 0, let fileStatus = try? status() else { return false }
        return pathStatus.st_dev == fileStatus.st_dev && pathStatus.st_ino == fileStatus.st_ino
    }

    /// Returns the number of bytes of the file; 0 if it is a pipe or a device.
    package func size() throws(SystemError) -> Int {
        Int(try status().st_size)
    }

    private func status() throws(SystemError) -> stat {
        var status = stat()
        try check(fstat(descriptor, &status))
        return status
    }

    /// Reads from the current position to the end of the file, but at most `count` bytes.
    package func read(upTo count: Int = .max) throws(SystemError) -> [UInt8] {
        try collect(upTo: count) { buffer, size, _ in Foundation.read(descriptor, &buffer, size) }
    }

    /// Reads from `offset` to the end of the file, but at most `count` bytes; the current position stays.
    package func read(from offset: Int, upTo count: Int = .max) throws(SystemError) -> [UInt8] {
        try collect(upTo: count) { buffer, size, start in pread(descriptor, &buffer, size, off_t(offset + start)) }
    }

    /// Calls `readNext` until it reads nothing, or `count` bytes are read, and returns them.
    ///
    /// - Parameters:
    ///   - count: the maximum number of bytes.
    ///   - readNext: reads at most `size` bytes into a buffer; `start` is the number of bytes that were read before.
    /// - Returns: the bytes.
    /// - Throws: `SystemError`.
    private func collect(
        upTo count: Int,
        _ readNext: (_ buffer: inout [UInt8], _ size: Int, _ start: Int) -> Int
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(count, 1 << 20))
        while bytes.count < count {
            let size = min(buffer.count, count - bytes.count)
            let length = readNext(&buffer, size, bytes.count)
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw .last }
            guard length > 0 else { break }
            bytes += buffer[..<length]
        }
        return bytes
    }

    /// Moves to the start of the file.
    package func rewind() throws(SystemError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last }
    }

    /// Writes all bytes at the current position, or at the end of a file that was opened with `O_APPEND`.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let writtenCount = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if writtenCount < 0, errno == EINTR { continue }
            guard writtenCount > 0 else { throw .last }
            rest = rest.dropFirst(writtenCount)
        }
    }

    /// Writes over the first bytes of the file; returns whether that succeeded.
    package func overwrite(with bytes: [UInt8]) -> Bool {
        pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    /// Cuts the file to `length` bytes.
    package func truncate(to length: Int) throws(SystemError) {
        try check(ftruncate(descriptor, off_t(length)))
    }

    /// Reserves disk space for a part of the file, also after its end, so that writing there needs no more.
    ///
    /// The size of the file and its contents stay. When the file is cut, the space after its end is released.
    ///
    /// - Parameter range: the offsets of the part, which is not empty.
    /// - Throws: `SystemError`; unless `isFull`, the file system cannot reserve space.
    package func reserveSpace(_ range: Range<Int>) throws(SystemError) {
        while waypost_reserve_space(descriptor, range.lowerBound, range.count) != 0 {
            guard errno == EINTR else { throw .last }
        }
    }

    /// Waits until the file is on the disk.
    package func sync() throws(SystemError) {
        try check(fsync(descriptor))
    }

    /// Waits until the contents of the file are on the disk, without its times.
    package func syncContents() throws(SystemError) {
        try check(fdatasync(descriptor))
    }

    /// Locks the file against other processes; returns `false` if another one holds the lock.
    package func lock() throws(SystemError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .last }
        return false
    }

    /// Releases the lock.
    package func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// Locks bytes of the file, which may be after its end, against other processes that lock bytes (fcntl(2)).
    ///
    /// The process loses the lock when it closes any descriptor of the file.
    ///
    /// - Parameter range: the offsets of the bytes.
    /// - Returns: whether they are locked; `false` if another process has locked some of them.
    /// - Throws: `SystemError`.
    package func lockBytes(_ range: Range<Int>) throws(SystemError) -> Bool {
        if setLock(F_WRLCK, of: range) == 0 { return true }
        guard errno == EAGAIN || errno == EACCES else { throw .last }
        return false
    }

    /// Releases the lock of bytes.
    package func unlockBytes(_ range: Range<Int>) {
        _ = setLock(F_UNLCK, of: range)
    }

    private func setLock(_ type: CInt, of range: Range<Int>) -> CInt {
        var request = flock()
        request.l_type = Int16(type)
        request.l_whence = Int16(SEEK_SET)
        request.l_start = off_t(range.lowerBound)
        request.l_len = off_t(range.count)
        return fcntl(descriptor, F_SETLK, &request)
    }

    private func check(_ status: CInt) throws(SystemError) {
        guard status == 0 else { throw .last }
    }
}
