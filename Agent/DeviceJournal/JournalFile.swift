internal import Foundation
internal import LocalFiles
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

    private let file: OpenFile
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
        let file: OpenFile
        let isLocked: Bool
        let bytes: [UInt8]
        do throws(SystemError) {
            file = try OpenFile(path: path, O_RDWR | O_CREAT | O_APPEND)
            isLocked = try file.lock()
            bytes = try file.read()
        } catch {
            throw .system("\(path): cannot be opened: \(error)")
        }
        guard isLocked else { throw .inUse(path) }
        let isBehindPlace = place.isIn(bytes)
        let found = try JournalRecovery(bytes, from: isBehindPlace ? place : .start)
        let journal = JournalFile(file, path, found)
        try journal.write { file throws(SystemError) in
            try file.truncate(to: found.end.bytes)
            try file.syncContents()
            try WholeFile.syncEntry(of: path)
        }
        return (journal, found, isBehindPlace)
    }

    private init(_ file: OpenFile, _ path: String, _ found: JournalRecovery) {
        self.file = file
        self.path = path
        extent = Mutex(Extent(end: found.end))
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
                try write { file throws(SystemError) in
                    try file.write(bytes)
                    try file.syncContents()
                }
            } catch {
                extent.isBroken = true
                try write { file throws(SystemError) in
                    try file.truncate(to: extent.end.bytes)
                    try file.syncContents()
                }
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

    private func write(_ change: (OpenFile) throws(SystemError) -> Void) throws(JournalError) {
        do throws(SystemError) {
            try change(file)
        } catch {
            throw .system("\(path): cannot be written: \(error)")
        }
    }
}
