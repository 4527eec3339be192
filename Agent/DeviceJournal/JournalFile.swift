internal import Foundation
internal import Synchronization
package import WaypostSchema

/// The file of a journal, which only this process writes.
///
/// Entries are on the disk when `append` returns. If a write fails, the file is restored to its previous state; if that
/// fails as well, nothing more is accepted.
package final class JournalFile: Sendable {
    /// The part of the file that is safely on the disk.
    private struct Extent {
        var end: JournalPlace

        /// Whether the file has more than that, which could not be removed.
        var isBroken = false
    }

    private let descriptor: Int32
    private let path: String
    private let extent: Mutex<Extent>

    /// Opens a journal, creates it if needed, and removes an end that was not safely written.
    ///
    /// - Parameters:
    ///   - path: the path of the file; its folder must exist.
    ///   - place: a place up to which the journal is known; if the file has no such place, it is read from its start.
    /// - Returns: the file, its contents, and whether these are the contents after `place`.
    /// - Throws: `JournalError` if the journal cannot be used.
    package static func open(
        _ path: String,
        from place: JournalPlace = .start
    ) throws(JournalError) -> (file: JournalFile, found: JournalRecovery, isBehindPlace: Bool) {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be opened", path) }
        do throws(JournalError) {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw errno == EWOULDBLOCK ? .inUse(path) : failure("cannot be locked", path)
            }
            let bytes = try readAll(descriptor, path)
            let isBehindPlace = place.isIn(bytes)
            let found = try JournalRecovery(bytes, from: isBehindPlace ? place : .start)
            let file = JournalFile(descriptor, path, found)
            try file.cut(to: found.end.bytes)
            try syncFolder(of: path)
            return (file, found, isBehindPlace)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private init(_ descriptor: Int32, _ path: String, _ found: JournalRecovery) {
        self.descriptor = descriptor
        self.path = path
        extent = Mutex(Extent(end: found.end))
    }

    deinit {
        close(descriptor)
    }

    /// The end of the entries on the disk.
    package var end: JournalPlace {
        extent.withLock(\.end)
    }

    /// Appends entries, either all of them or none.
    ///
    /// - Throws: `JournalError.system` if they cannot be written.
    package func append(_ entries: [JournalEntry]) throws(JournalError) {
        try extent.withLock { extent throws(JournalError) in
            guard !extent.isBroken else {
                throw .system("\(path): an earlier write failed, and could not be undone")
            }
            let bytes = try lines(of: entries, safe: extent.end.lines)
            do throws(JournalError) {
                try write(bytes)
            } catch {
                extent.isBroken = true
                try cut(to: extent.end.bytes)
                extent.isBroken = false
                throw error
            }
            guard !entries.isEmpty else { return }
            extent.end = JournalPlace(
                lines: extent.end.lines + entries.count,
                bytes: extent.end.bytes + bytes.count,
                checksum: JournalLine.writtenChecksum(of: bytes.dropLast())
            )
        }
    }

    private func lines(of entries: [JournalEntry], safe: Int) throws(JournalError) -> [UInt8] {
        do {
            return try entries.flatMap { try JournalLine(entry: $0, safe: safe).bytes + [UInt8(ascii: "\n")] }
        } catch {
            throw .system("\(path): an event cannot be written: \(error)")
        }
    }

    private func write(_ bytes: [UInt8]) throws(JournalError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure("cannot be written", path) }
            rest = rest.dropFirst(written)
        }
        guard fdatasync(descriptor) == 0 else { throw Self.failure("cannot be synced", path) }
    }

    /// Removes everything after the lines that are safely on the disk.
    private func cut(to length: Int) throws(JournalError) {
        guard ftruncate(descriptor, off_t(length)) == 0, fdatasync(descriptor) == 0 else {
            throw Self.failure("cannot be truncated", path)
        }
    }

    private static func readAll(_ descriptor: Int32, _ path: String) throws(JournalError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let size = buffer.count
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, size, off_t(bytes.count)) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("cannot be read", path) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Syncs the folder of a file, without which a new file may be lost in a power failure.
    ///
    /// - Parameter path: the path of the file.
    /// - Throws: `JournalError.system` if the folder cannot be synced.
    package static func syncFolder(of path: String) throws(JournalError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let descriptor = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot be opened", folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("cannot be synced", folder) }
    }

    private static func failure(_ what: String, _ path: String) -> JournalError {
        .system("\(path): \(what): \(String(cString: strerror(errno)))")
    }
}
